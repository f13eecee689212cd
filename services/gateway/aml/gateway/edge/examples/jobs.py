"""Jobs."""

import msgspec

from aml.gateway.jobs.bodies import Cancellation, Checklist, JobOrder, Resumption
from aml.gateway.jobs.views import Counts, ErrorSummary, Job, JobList, Quota, QuotaList, Resumed, StageProgress

from .invented import DIGEST, DUE_AT, EARLIER_JOB_ID, JOB_ID, STARTED_AT, VERSION_ID
from .route_example import KEY_REUSED, Conflict, RouteExample

_ACTIVE = Conflict(
    "job_active", f"job {EARLIER_JOB_ID} of this key and track is still active", {"job_id": EARLIER_JOB_ID}
)
_LABEL = Conflict("run_label_taken", "this run label was used before for this key and track; choose another one")

JOB = Job(
    job_id=JOB_ID,
    version_id=VERSION_ID,
    system="Recall",
    version="2.1.0",
    track="textual",
    division="open_source",
    mode="full",
    arm="participant",
    run_label="autumn, first try",
    release_id="practice",
    release_digest=DIGEST,
    add_concurrency=8,
    search_concurrency=32,
    requested_at=STARTED_AT,
    state="running",
    sealed=False,
    ended_at=None,
    stage="retrieval",
    stages=(
        StageProgress(stage="ingest", done=10, total=10),
        StageProgress(stage="retrieval", done=96, total=140),
        StageProgress(stage="answer", done=90, total=140),
        StageProgress(stage="scoring", done=88, total=140),
    ),
    counts=Counts(planned=140, scored=87, correct=61, incorrect=26, graded=0, unscored=1),
    rate_per_second=2.4,
    eta_seconds=21.6,
    heartbeat_age_seconds=0.4,
    retries=3,
    requeued=1,
    parked=0,
    failure=None,
    gate=None,
    decision=None,
    errors=(ErrorSummary(stage="retrieval", reason="transport", questions=1, example="Search: no answer within 30 s"),),
)
_QUEUED = msgspec.structs.replace(
    JOB,
    state="queued",
    stage="queued",
    stages=(StageProgress(stage="queued", done=0, total=None),),
    counts=Counts(planned=None, scored=0, correct=0, incorrect=0, graded=0, unscored=0),
    rate_per_second=None,
    eta_seconds=None,
    heartbeat_age_seconds=None,
    retries=0,
    requeued=0,
    errors=(),
    queue_place=2,
)

EXAMPLES = {
    "create_job": RouteExample(
        about="`smoke` needs a version and a label; `full` needs every item of the checklist ticked as well, and freezes the"
        " version. Top K and everything else that can change a score stand in the release. A quota that is used up is a 429"
        " with `available_at`, by the database's clock.",
        request=JobOrder(
            version_id=VERSION_ID,
            mode="full",
            run_label="autumn, first try",
            checklist=Checklist(
                smoke_passed=True,
                contract_followed=True,
                run_instructions_complete=True,
                originality_disclosed=True,
                no_integrity_violations=True,
            ),
        ),
        answer=_QUEUED,
        conflicts=(
            _ACTIVE,
            _LABEL,
            Conflict("smoke_missing", "no smoke run of this very version passed; run one first"),
            KEY_REUSED,
        ),
        invalid=("checklist", "confirm smoke_passed, contract_followed before a full run"),
        unknown="version",
    ),
    "read_jobs": RouteExample(answer=JobList(jobs=(JOB,))),
    "read_job": RouteExample(
        about="The polling form of `/jobs/{job_id}/events`. `stalled` says since when and why a job does not come on.",
        answer=JOB,
    ),
    "cancel": RouteExample(
        about="Cancelled before its first Add, a job costs no quota.",
        request=Cancellation(reason="the wrong version"),
        answer=msgspec.structs.replace(_QUEUED, state="cancelled", stage="aggregation", queue_place=None),
        conflicts=(
            Conflict("job_ended", "this job is completed already; there is nothing to cancel"),
            Conflict("job_ended", "this job was completed before the cancellation reached it; it stays so"),
        ),
    ),
    "resume": RouteExample(
        about="A job that runs goes on with the units that were parked (`driven_again`). One that failed or was cancelled is"
        " sealed: the same run is ordered anew (`new_job`), under the rules and quotas of any other order.",
        request=Resumption(run_label="autumn, second try"),
        answer=Resumed(
            how="new_job",
            job=msgspec.structs.replace(_QUEUED, run_label="autumn, second try", resumes=EARLIER_JOB_ID),
        ),
        conflicts=(
            Conflict("job_completed", "this job is complete; there is nothing to take up again"),
            _ACTIVE,
            _LABEL,
            KEY_REUSED,
        ),
    ),
    "read_quotas": RouteExample(
        answer=QuotaList(
            track="textual",
            release_id="practice",
            now=STARTED_AT,
            quotas=(
                Quota(
                    mode="smoke",
                    used=4,
                    limit=30,
                    used_in_hour=0,
                    limit_in_hour=1,
                    possible_now=True,
                    available_at=STARTED_AT,
                    reason=None,
                    active_job_id=None,
                ),
                Quota(
                    mode="full",
                    used=1,
                    limit=2,
                    used_in_hour=None,
                    limit_in_hour=None,
                    possible_now=False,
                    available_at=DUE_AT,
                    reason="interval",
                    active_job_id=None,
                ),
            ),
        ),
        invalid=("release_id", "there is no release 'spring'; offered are practice"),
    ),
    "stream_progress": RouteExample(
        about="Each event's data is the job as `GET /jobs/{job_id}` shows it. `Last-Event-ID` repeats none and loses none."
        " A comment every 15 s keeps the connection open. The stream ends with the job; asked for again, it answers 204,"
        " upon which a browser comes back no more.",
        answer="retry: 2000\n\nid: 41-9f3c\nevent: progress\ndata: " + msgspec.json.encode(JOB).decode() + "\n\n",
    ),
}
