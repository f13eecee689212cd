"""What operators do."""

import msgspec

from aml.contracts.release import Quotas
from aml.gateway.access.bodies import Endpoints
from aml.gateway.operations.bodies import RunDataset, RunOrder
from aml.gateway.operations.views import (
    KeyCount,
    Lane,
    OpenJob,
    Overview,
    Parked,
    ParkedUnit,
    ReleaseQuotas,
    Requeued,
    ReviewerLinked,
    StateCount,
)
from aml.gateway.review.bodies import ReviewerLinkOrder

from .invented import DIGEST, JOB_ID, KEY_ID, REVIEWER_ID, STARTED_AT, UNIT
from .jobs import JOB
from .route_example import KEY_REUSED, Conflict, RouteExample

EXAMPLES = {
    "read_overview": RouteExample(
        answer=Overview(
            problems={},
            jobs=(StateCount(state="running", count=1), StateCount(state="completed", count=12)),
            open_jobs=(
                OpenJob(
                    job_id=JOB_ID,
                    key_id=KEY_ID,
                    organisation="Example Lab",
                    system="Recall",
                    version="2.1.0",
                    track="textual",
                    mode="full",
                    arm="participant",
                    release_id="practice",
                    state="running",
                    requested_at=STARTED_AT,
                    questions=140,
                    ended=88,
                    parked=0,
                    last_at=STARTED_AT,
                ),
            ),
            lanes=(Lane(name="retrieval", waiting=44, in_work=32, given_again=1, slots=32),),
            parked=0,
            outbox_waiting=0,
            projection_waiting=0,
            keys=(KeyCount(role="participant", active=9, unclaimed=1, revoked=0),),
            open_access_requests=2,
            open_reviews=1,
            open_proposals=1,
            overdue_attestations=0,
            quotas=(ReleaseQuotas(release_id="practice", track="textual", default=True, quotas=Quotas()),),
        ),
    ),
    "link_reviewer": RouteExample(
        about="Decisions on systems and proposals of that organisation, or of that key, are then refused to the reviewer.",
        request=ReviewerLinkOrder(organisation="Example Lab", participant_key_id=KEY_ID),
        answer=ReviewerLinked(key_id=REVIEWER_ID, organisation="Example Lab", participant_key_id=KEY_ID),
        invalid=("participant_key_id", "is no participant's key"),
    ),
    "create_run": RouteExample(
        about="`run` evaluates a system under development on any dataset and is never published; `full` is for the baseline"
        " arms, on the release's own datasets.",
        request=RunOrder(
            system="Recall",
            endpoints=Endpoints(
                add_url="https://memory.example.org/v1/add", search_url="https://memory.example.org/v1/search"
            ),
            datasets=(RunDataset(name="practice", adapter="practice", version="1", sha256=DIGEST, limit=20),),
            run_label="before the release",
        ),
        answer=msgspec.structs.replace(JOB, mode="run", run_label="before the release"),
        conflicts=(KEY_REUSED,),
        invalid=("endpoints", "are missing; only a baseline arm goes without"),
    ),
    "read_parked": RouteExample(
        answer=Parked(
            parked=(
                ParkedUnit(
                    job_id=JOB_ID,
                    unit=UNIT,
                    stage="retrieval",
                    trigger="sample_ingested.v1",
                    error="KeyError",
                    parked_at=STARTED_AT,
                ),
            )
        ),
    ),
    "requeue": RouteExample(
        answer=Requeued(job_id=JOB_ID, requeued=(UNIT,)),
        conflicts=(
            Conflict("nothing_parked", "no unit of this job is parked"),
            Conflict("job_ended", "this job is completed; its units are not driven again"),
        ),
    ),
}
