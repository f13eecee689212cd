"""A job as it is asked for, checked, planned and ended early."""

from tests.factories.events.places import AT, JOB, RELEASE_ID, a_digest, a_ref

from aml.contracts.doctor import CheckResult, ContractChecked
from aml.contracts.events import Event
from aml.contracts.jobs import CategoryCount, DatasetPin, DatasetPlan, JobCancelled, JobFailed, JobPlanned, JobRequested

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

JOBS: tuple[Event, ...] = (
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
    JobCancelled(at=AT, job_id=JOB, cancelled_by="key-1", reason="started by mistake"),
)
