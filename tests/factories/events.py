"""One believable event of every kind. State only what matters to a test: `a_chunk_added(unit="…")`."""

import hashlib
from typing import Any

from msgspec.structs import replace

from aml.contracts.access import (
    AccessApproved,
    AccessDeclined,
    AccessRequested,
    KeyIssued,
    KeyRevoked,
    KeyRotated,
    MemoryKeyReplaced,
    VersionBound,
    VersionChanged,
    VersionDisclosed,
    VersionWithdrawn,
)
from aml.contracts.boards import BoardPublished, ReviewDecided
from aml.contracts.calibration import JudgeCalibrated, KindAgreement
from aml.contracts.decisions import DecisionExplained
from aml.contracts.deletion import DeletionAttested
from aml.contracts.doctor import CheckResult, ContractChecked
from aml.contracts.envelope import EvidenceRef
from aml.contracts.events import Event
from aml.contracts.fair_play import CanaryPlanned, FlagCount, IsolationProbed, SearchFlagged
from aml.contracts.jobs import (
    CategoryCount,
    DatasetPin,
    DatasetPlan,
    JobCancelled,
    JobFailed,
    JobPlanned,
    JobRequested,
)
from aml.contracts.proposals import BenchmarkProposed, ProposalDecided
from aml.contracts.release import ReleaseLocked
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
from aml.contracts.shredding import EvidenceShredded
from aml.contracts.units import (
    AnswerGenerated,
    ChunkAdded,
    QuestionOpened,
    SampleIngested,
    SamplePlanned,
    SearchReturned,
    UnitParked,
    UnitRequeued,
)
from aml.contracts.verdicts import AnswerScored, UnitUnscored

AT = 1_780_000_000_000
JOB = "job-7c1f"
RELEASE_ID = "practice-1"


def a_digest(seed: str = "") -> str:
    return hashlib.sha256(seed.encode()).hexdigest()


def a_ref(seed: str = "payload", size: int = 64) -> EvidenceRef:
    return EvidenceRef(digest=a_digest(seed), size=size, media_type="application/json")


_SAMPLE = a_digest("sample")[:20]
_QUESTION = a_digest("question")[:20]
_CHUNK = a_digest("chunk")[:20]
_OPENED = f"aml.v1.job.{JOB}.question_opened.{_QUESTION}"

_PIN = DatasetPin(name="practice", adapter="practice", version="1", sha256=a_digest("bundle"))
_PLAN = DatasetPlan(
    name="practice",
    adapter="practice",
    version="1",
    sha256=a_digest("bundle"),
    samples=1,
    sessions=2,
    turns=20,
    chunks=2,
    questions=3,
    categories=(CategoryCount(category="fact_recall", questions=2), CategoryCount(category="temporal", questions=1)),
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

_EXAMPLES: tuple[Event, ...] = (
    AccessRequested(
        at=AT,
        access_id="access-1",
        system="Recollect",
        version="2.1",
        track="textual",
        division="open_source",
        disclosure=a_digest("application"),
    ),
    AccessApproved(at=AT, access_id="access-1", key_id="key-1", version_id="version-1", reviewer="reviewer-1"),
    AccessDeclined(at=AT, access_id="access-2", reviewer="reviewer-1", reason="The repository cannot be opened."),
    KeyIssued(at=AT, key_id="key-1", prefix="aml_pk_4f", role="participant"),
    KeyRotated(at=AT, key_id="key-1", number=1, prefix="aml_p_9Zk3aQ"),
    KeyRevoked(at=AT, key_id="key-1", reason="replaced by its owner"),
    VersionBound(
        at=AT,
        version_id="version-1",
        key_id="key-1",
        system="Recollect",
        version="2.1",
        track="textual",
        division="open_source",
    ),
    VersionDisclosed(
        at=AT,
        version_id="version-1",
        key_id="key-1",
        organisation="Recollect Lab",
        repository="https://git.example/recollect",
        commit="0123456789abcdef0123456789abcdef01234567",
        original_works="none",
        authors="A. Author",
        technical_report="https://papers.example/recollect.pdf",
        method_changes="none",
        product_version=None,
    ),
    VersionChanged(
        at=AT,
        version_id="version-1",
        key_id="key-1",
        number=1,
        changed=("endpoints", "disclosure"),
        new_smoke_needed=True,
        organisation="Recollect Lab",
        repository="https://git.example/recollect",
        commit="89abcdef0123456789abcdef0123456789abcdef",
        original_works=None,
        authors=None,
        technical_report=None,
        method_changes=None,
        product_version=None,
    ),
    VersionWithdrawn(at=AT, version_id="version-2", key_id="key-1", reason="bound twice"),
    MemoryKeyReplaced(at=AT, version_id="version-1", key_id="key-1", number=1),
    ReleaseLocked(
        at=AT,
        release_id=RELEASE_ID,
        release_digest=a_digest("release"),
        pipeline_digest=a_digest("pipeline"),
        questions=120,
    ),
    JobRequested(
        at=AT,
        job_id=JOB,
        key_id="key-1",
        version_id="version-1",
        system="Recollect",
        version="2.1",
        track="textual",
        division="open_source",
        mode="full",
        arm="participant",
        run_label="spring",
        release_id=RELEASE_ID,
        release_digest=a_digest("release"),
        pipeline_digest=a_digest("pipeline"),
        datasets=(_PIN,),
        target=a_ref("target"),
        add_concurrency=4,
        search_concurrency=16,
        top_k=20,
        allow_private=False,
    ),
    ContractChecked(
        at=AT,
        job_id=JOB,
        passed=False,
        checks=(
            CheckResult(name="add", outcome="passed", code="ok"),
            CheckResult(name="echo", outcome="failed", code="echo"),
        ),
        report=a_ref("doctor report", 9_216),
    ),
    JobPlanned(
        at=AT,
        job_id=JOB,
        release_digest=a_digest("release"),
        pipeline_digest=a_digest("pipeline"),
        datasets=(_PLAN,),
        samples=1,
        chunks=2,
        questions=3,
        add_concurrency=4,
        search_concurrency=16,
    ),
    JobFailed(
        at=AT,
        job_id=JOB,
        stage="ingest",
        reason="contract",
        detail="Add answered without `session_id`; return the one that was sent.",
        attempt_log=a_ref("refused attempt"),
    ),
    JudgeCalibrated(
        at=AT,
        release_id=RELEASE_ID,
        release_digest=a_digest("release"),
        pipeline_digest=a_digest("pipeline"),
        judge="rules",
        answers="answers-1",
        answers_sha256=a_digest("answers"),
        labelled=100,
        agreed=90,
        unread=1,
        agreement=900_000,
        kappa=800_000,
        kinds=(
            KindAgreement(kind="date", labelled=40, agreed=32),
            KindAgreement(kind="number", labelled=60, agreed=58),
        ),
        disagreed=("date-en-3", "number-zh-1"),
        details=a_digest("verdicts"),
    ),
    JobCancelled(at=AT, job_id=JOB, cancelled_by="key-1", reason="started by mistake"),
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
    SamplePlanned(
        at=AT,
        job_id=JOB,
        unit=_SAMPLE,
        dataset="practice",
        sample_id="persona-3",
        user_id=f"aml-{_SAMPLE}",
        chunks=2,
        questions=3,
        chunk_pack=a_ref("chunk pack"),
        question_pack=a_ref("question pack"),
        gold_pack=a_ref("gold pack"),
    ),
    ChunkAdded(
        at=AT,
        job_id=JOB,
        unit=_CHUNK,
        sample=_SAMPLE,
        index=0,
        messages=20,
        attempts=1,
        latency=1_200,
        received=180,
        attempt_log=None,
    ),
    SampleIngested(at=AT, job_id=JOB, unit=_SAMPLE, chunks=2),
    QuestionOpened(at=AT, job_id=JOB, unit=_QUESTION, sample=_SAMPLE, index=1, dataset="practice"),
    SearchReturned(
        at=AT,
        job_id=JOB,
        unit=_QUESTION,
        sample=_SAMPLE,
        index=1,
        dataset="practice",
        returned=20,
        memories=a_ref("memories", 4_096),
        attempts=2,
        latency=2_400,
        received=5_120,
        attempt_log=a_ref("attempt log"),
    ),
    AnswerGenerated(
        at=AT,
        job_id=JOB,
        unit=_QUESTION,
        sample=_SAMPLE,
        index=1,
        dataset="practice",
        answer=a_ref("answer"),
        answerer="extractive-1",
        context_items=20,
        prompt_tokens=320,
        completion_tokens=12,
        primary_calls=1,
        retry_calls=0,
        system_fingerprint=None,
        latency=900,
    ),
    AnswerScored(
        at=AT,
        job_id=JOB,
        unit=_QUESTION,
        sample=_SAMPLE,
        index=1,
        dataset="practice",
        category="fact_recall",
        capability="fact_recall",
        outcome="correct",
        score=1_000_000,
        in_overall=True,
        rule="rule_judge",
        verdict=a_ref("verdict"),
        evidence_recall=500_000,
        primary_calls=0,
        retry_calls=0,
    ),
    UnitUnscored(
        at=AT,
        job_id=JOB,
        unit=_QUESTION,
        sample=_SAMPLE,
        index=1,
        dataset="practice",
        category="fact_recall",
        stage="retrieval",
        reason="transport",
        detail="connection refused",
        attempts=24,
        attempt_log=a_ref("last attempts"),
    ),
    UnitRequeued(
        at=AT,
        job_id=JOB,
        unit=f"{_QUESTION}-retrieval-1",
        stage="retrieval",
        requeue=1,
        trigger=_OPENED,
        reason="transport",
        detail="connection refused",
        not_before=AT + 5_000,
        attempt_log=a_ref("failed attempts"),
    ),
    UnitParked(
        at=AT,
        job_id=JOB,
        unit=f"{_QUESTION}-retrieval-1",
        stage="retrieval",
        trigger=_OPENED,
        error="SampleUnknown: the job has no such sample",
    ),
    SearchFlagged(
        at=AT,
        job_id=JOB,
        unit=_QUESTION,
        sample=_SAMPLE,
        index=1,
        dataset="practice",
        returned=20,
        flags=(FlagCount(kind="foreign", items=2), FlagCount(kind="instruction", items=1)),
        items=a_ref("flagged items", 1_024),
    ),
    CanaryPlanned(at=AT, job_id=JOB, unit=f"{_SAMPLE}-canary", sample=_SAMPLE, canary=a_ref("canary", 512)),
    IsolationProbed(
        at=AT,
        job_id=JOB,
        unit=f"{_SAMPLE}-canary",
        sample=_SAMPLE,
        outcome="leaked",
        returned=3,
        calls=2,
        memories=a_ref("leaked memories", 256),
    ),
    EvidenceShredded(at=AT, job_id=JOB, reason="retention"),
    DeletionAttested(at=AT, job_id=JOB, key_id="key-1", statement=a_digest("statement")),
    DecisionExplained(
        at=AT,
        decision="key_revoked",
        about="key-1",
        number=1,
        by="operator-1",
        reason="replaced by its owner",
    ),
    BenchmarkProposed(
        at=AT,
        proposal_id="prop-1",
        title="Errands of a year",
        track="textual",
        license="CC-BY-4.0",
        key_id=None,
        profile=a_digest("profile"),
    ),
    ProposalDecided(
        at=AT,
        proposal_id="prop-1",
        number=1,
        decision="ask_for_more",
        reviewer="reviewer-1",
        reason="Say where the third source comes from.",
        package=a_digest("package"),
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

EXAMPLES: dict[type, Event] = {type(event): event for event in _EXAMPLES}
"""One example of each event type. The golden files began as these, and stay when these change."""


def an_event(event_type: type, **changes: Any) -> Any:
    """The example of `event_type` with `changes`."""
    return replace(EXAMPLES[event_type], **changes)


DISCLOSED = (
    "organisation",
    "repository",
    "commit",
    "original_works",
    "authors",
    "technical_report",
    "method_changes",
    "product_version",
)


def told(**fields: Any) -> VersionDisclosed:
    """What the public may read of a version; nothing but what is given."""
    values: dict[str, Any] = {"at": 1, "version_id": "version-a", "key_id": "key-a", **dict.fromkeys(DISCLOSED)}
    return VersionDisclosed(**{**values, **fields})


def told_again(**fields: Any) -> VersionChanged:
    """What the public may read of it since its owner's edit."""
    values: dict[str, Any] = {
        "at": 2,
        "version_id": "version-a",
        "key_id": "key-a",
        "number": 1,
        "changed": ("disclosure",),
        "new_smoke_needed": False,
        **dict.fromkeys(DISCLOSED),
    }
    return VersionChanged(**{**values, **fields})
