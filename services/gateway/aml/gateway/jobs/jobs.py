"""Participants' jobs: create, list, show, cancel."""

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody

from aml.contracts.jobs import JobCancelled
from aml.contracts.participant import ParticipantTarget
from aml.gateway.access.endpoint_check import endpoint_problems, require
from aml.gateway.access.version_queries import VersionRow, load_version
from aml.gateway.edge.authorise import ANY_ROLE, allow
from aml.gateway.edge.idempotency import IdempotencyKey, create_once
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.errors import QuotaRefused, StateConflict, Unknown
from aml.gateway.keys.keys import Caller
from aml.gateway.parts import Parts
from aml.gateway.storage.database import Connection
from aml.gateway.storage.outbox import enqueue
from aml.rules.quota import QuotaExceeded, check_quota
from aml.runtime.release_folder import LoadedRelease

from .bodies import Cancellation, JobOrder
from .job_access import require_visible, visible_job
from .job_queries import cancel_job, load_job, load_job_page
from .progress import job_view
from .quota_queries import load_active_job, load_past_runs, load_smoke_passed, lock_key_and_track
from .submit_job import Submission, pins_of, submit_job
from .views import Job, JobList


@post("/jobs", summary="Start a smoke or a full run", guards=[allow("participant")])
async def create_job(
    parts: GivenParts, caller: GivenCaller, data: JSONBody[JobOrder], idempotency_key: IdempotencyKey = None
) -> Job:
    async def create(connection: Connection) -> Job:
        version = await load_version(connection, data.version_id, caller.key_id)
        if version is None:
            raise Unknown("version", data.version_id)
        release = parts.releases.get(data.release_id)
        require(order_problems(data, version, release, allow_private=parts.settings.network.allow_private))
        await lock_key_and_track(connection, caller.key_id, version.track)
        await _require_free(connection, caller, version, data, release)
        job_id = await submit_job(connection, parts, submission_of(data, version, release, parts))
        row = await load_job(connection, job_id)
        assert row is not None
        return job_view(row)

    return await create_once(parts, scope=caller.key_id, key=idempotency_key, request=data, shape=Job, create=create)


@get("/jobs", summary="Your jobs, newest first; all jobs for reviewers and operators", guards=[ANY_ROLE])
async def read_jobs(parts: GivenParts, caller: GivenCaller, limit: Limit = 100, offset: Offset = 0) -> JobList:
    async with parts.database.read() as connection:
        rows = await load_job_page(connection, caller.key_id if caller.role == "participant" else None, limit, offset)
    return JobList(jobs=tuple(job_view(row) for row in rows))


@get("/jobs/{job_id:str}", summary="How a job stands", guards=[ANY_ROLE])
async def read_job(parts: GivenParts, caller: GivenCaller, job_id: FromPath[str]) -> Job:
    return job_view(await visible_job(parts.database, caller, job_id))


@post("/jobs/{job_id:str}/cancel", summary="Cancel", guards=[allow("participant", "operator")], status_code=200)
async def cancel(
    parts: GivenParts, caller: GivenCaller, job_id: FromPath[str], data: JSONBody[Cancellation | None] = None
) -> Job:
    async with parts.database.transaction() as connection:
        row = await require_visible(connection, caller, job_id)
        if not await cancel_job(connection, job_id):
            raise StateConflict("job_ended", f"this job is {row.state} already; there is nothing to cancel")
        reason = (data or Cancellation()).reason
        await enqueue(
            connection,
            JobCancelled(at=parts.clock.now_ms(), job_id=job_id, cancelled_by=caller.key_id, reason=reason),
        )
        row = await require_visible(connection, caller, job_id)
    parts.outbox.wake()
    return job_view(row)


def order_problems(
    order: JobOrder, version: VersionRow, release: LoadedRelease, *, allow_private: bool
) -> dict[str, str]:
    """Field to problem: what the version, the release or the checklist does not allow."""
    rules = release.release
    problems = {}
    if rules.track != version.track:
        problems["release_id"] = f"is for the track {rules.track}; this version is bound to {version.track}"
    for field, asked, declared, most in (
        ("add_concurrency", order.add_concurrency, version.max_add_concurrency, rules.max_add_concurrency),
        ("search_concurrency", order.search_concurrency, version.max_search_concurrency, rules.max_search_concurrency),
    ):
        if asked is not None and asked > min(declared, most):
            problems[field] = f"is {asked}; this version declared {declared} and the release allows {most}"
    if order.mode == "full":
        ticked = msgspec.structs.asdict(order.checklist) if order.checklist else {}
        if missing := [name for name in _CHECKLIST if not ticked.get(name)]:
            problems["checklist"] = f"confirm {', '.join(missing)} before a full run"
    assert version.target is not None
    target = msgspec.json.decode(version.target, type=ParticipantTarget)
    if order.mode == "full" and rules.comparable and target.auth == "none":
        problems["version_id"] = "has no authentication, which is for smoke runs; bind a version with a key"
    return problems | endpoint_problems(
        target,
        schemes=rules.allowed_schemes,
        allow_private=allow_private and rules.allow_private,
        ports=rules.allowed_ports,
    )


_CHECKLIST = (
    "smoke_passed",
    "contract_followed",
    "run_instructions_complete",
    "originality_disclosed",
    "no_integrity_violations",
)


def submission_of(order: JobOrder, version: VersionRow, release: LoadedRelease, parts: Parts) -> Submission:
    rules = release.release
    return Submission(
        version=version,
        mode=order.mode,
        run_label=order.run_label,
        release=release,
        datasets=pins_of(rules.datasets if order.mode == "full" else rules.smoke_datasets),
        add_concurrency=order.add_concurrency or min(version.max_add_concurrency, rules.max_add_concurrency),
        search_concurrency=order.search_concurrency
        or min(version.max_search_concurrency, rules.max_search_concurrency),
        allow_private=parts.settings.network.allow_private and rules.allow_private,
    )


async def _require_free(
    connection: Connection, caller: Caller, version: VersionRow, order: JobOrder, release: LoadedRelease
) -> None:
    """Raises `StateConflict` for an active job or a missing smoke, `QuotaRefused` for what must wait."""
    if (active := await load_active_job(connection, caller.key_id, version.track)) is not None:
        raise StateConflict("job_active", f"job {active} of this key and track is still active", job_id=active)
    if order.mode == "full" and not await load_smoke_passed(connection, version.version_id):
        raise StateConflict("smoke_missing", "no smoke run of this very version passed; run one first")
    past, now = await load_past_runs(connection, caller.key_id, version.track, release.release.release_id, order.mode)
    try:
        check_quota(order.mode, past, release.release.quotas, now)
    except QuotaExceeded as exceeded:
        raise QuotaRefused(exceeded) from None
