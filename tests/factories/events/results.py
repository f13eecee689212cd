"""A job's seal, its gate, the review of its result, and the board that shows it."""

from msgspec.structs import replace
from tests.factories.events.places import AT, JOB, RELEASE_ID, a_digest

from aml.contracts.boards import BoardPublished, ReviewDecided
from aml.contracts.events import Event
from aml.contracts.seals import (
    CategoryResult,
    DatasetResult,
    GateCheck,
    GatePassed,
    GateRefused,
    Interval,
    JobResult,
    JobSealed,
    Latencies,
    OutcomeSketch,
    ReasonCount,
    RowSubject,
    Tally,
)

_TALLY = Tally(
    planned=3,
    scored=3,
    correct=2,
    incorrect=1,
    graded=0,
    unscored=0,
    score=666_667,
    interval=Interval(low=207_655, high=938_510),
)
_LATENCIES = Latencies(calls=3, p50=1_200, p95=4_100, p99=4_100)
_SUBJECT = RowSubject(
    key_id="key-1",
    version_id="version-1",
    system="Recollect",
    version="2.1",
    track="textual",
    division="open_source",
    arm="participant",
    mode="full",
    run_label="spring",
    release_id=RELEASE_ID,
    release_digest=a_digest("release"),
    allow_private=False,
)
_RESULT = JobResult(
    overall=666_667,
    interval=Interval(low=207_655, high=938_510),
    datasets=(
        DatasetResult(
            name="practice",
            sha256=a_digest("bundle"),
            overall=_TALLY,
            all_questions=_TALLY,
            categories=(
                CategoryResult(category="fact_recall", capability="fact_recall", in_overall=True, tally=_TALLY),
            ),
            unscored=(),
            evidence_recall=750_000,
        ),
    ),
    add=_LATENCIES,
    search=_LATENCIES,
    retries=0,
    context_tokens=960,
)
_SKETCH = OutcomeSketch(questions=3, units=a_digest("units"), exact=a_digest("courses"), marks="AQID")
_CHECK = GateCheck(name="job_sealed", passed=True, code="ok", expected="completed", found="completed", entries=(17,))

RESULTS: tuple[Event, ...] = (
    JobSealed(at=AT, job_id=JOB, state="completed", entries=18, last_leaf=a_digest("leaf")),
    GatePassed(
        at=AT, job_id=JOB, subject=_SUBJECT, seal=a_digest("seal"), result=_RESULT, checks=(_CHECK,), sketch=_SKETCH
    ),
    GateRefused(
        at=AT,
        job_id=JOB,
        subject=_SUBJECT,
        seal=a_digest("seal"),
        result=replace(
            _RESULT,
            overall=None,
            interval=None,
            datasets=(replace(_RESULT.datasets[0], unscored=(ReasonCount(reason="transport", questions=1),)),),
        ),
        checks=(replace(_CHECK, name="all_scored", passed=False, code="unscored", expected="0", found="1"),),
    ),
    ReviewDecided(
        at=AT,
        job_id=JOB,
        number=1,
        decision="approve",
        reviewer="reviewer-1",
        reason="Disclosure and results agree.",
        seal=a_digest("seal"),
    ),
    BoardPublished(
        at=AT,
        board_id="textual-practice-1",
        version=3,
        rows=5,
        digest=a_digest("board"),
        tree_size=1_234,
        root=a_digest("root"),
    ),
)
