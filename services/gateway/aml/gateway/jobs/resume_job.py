"""Take a job up again.

A job that failed or was cancelled stays what it is: its chain of facts is sealed, and nothing is ever added to a sealed one. To
resume it is to order the same run once more, under the same rules as any other order, with a note of what it resumes; the
participant's system is written to under a new `user_id`, so what the old run left there does not count. A job that still
runs is not ordered again: its parked units are driven again, and everything that was done stays done.
"""

from litestar import post
from litestar.params import FromPath, JSONBody

from aml.gateway.access.endpoint_check import require
from aml.gateway.access.version_access import runnable_version
from aml.gateway.edge.authorise import allow
from aml.gateway.edge.idempotency import IdempotencyKey, create_once
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import StateConflict
from aml.gateway.operations.drive_again import drive_again
from aml.gateway.parts import Parts
from aml.gateway.storage.database import Connection
from aml.rules.quota import QuotaMode

from .bodies import JobOrder, Resumption
from .free_to_run import require_free
from .job_access import require_visible
from .job_queries import JobRow, load_job
from .job_view import job_view
from .new_job_queries import is_label_taken
from .order_rules import submission_of, target_problems
from .run_label import label_key, resumed_label, times_resumed
from .submit_job import submit_job
from .views import Resumed

MOST_RESUMES = 1000


@post("/jobs/{job_id:str}/resume", summary="Take up again what failed or stands", guards=[allow("participant")])
async def resume(
    parts: GivenParts,
    caller: GivenCaller,
    job_id: FromPath[str],
    data: JSONBody[Resumption | None] = None,
    idempotency_key: IdempotencyKey = None,
) -> Resumed:
    order = data or Resumption()

    async def create(connection: Connection) -> Resumed:
        row = await require_visible(connection, caller, job_id)
        if row.state in ("queued", "running"):
            return await _drive_again(connection, parts, row)
        if row.state == "completed":
            raise StateConflict("job_completed", "this job is completed; start a new run to repeat it")
        return await _order_again(connection, parts, row, order)

    return await create_once(
        parts,
        scope=f"{caller.key_id}\x1f{job_id}",
        key=idempotency_key,
        request=order,
        shape=Resumed,
        create=create,
    )


async def _drive_again(connection: Connection, parts: Parts, row: JobRow) -> Resumed:
    units = await drive_again(connection, row.job_id, parts.clock.now_ms())
    if not units:
        raise StateConflict("job_active", "this job goes on by itself; no unit of it is parked", job_id=row.job_id)
    shown = await load_job(connection, row.job_id)
    assert shown is not None
    return Resumed(how="driven_again", job=job_view(shown), driven_again=units)


async def _order_again(connection: Connection, parts: Parts, row: JobRow, order: Resumption) -> Resumed:
    version = await runnable_version(connection, row.version_id, row.key_id)
    release = parts.releases.get(row.release_id)
    if release.digest != row.release_digest:
        raise StateConflict("release_changed", "the release has changed since; start a new run under it")
    mode: QuotaMode = "full" if row.mode == "full" else "smoke"  # an operator's own run has no version to be found here
    allow_private = parts.settings.network.allow_private
    problems = target_problems(mode, version, release.release, allow_private=allow_private)
    if order.run_label is not None and not label_key(order.run_label):
        problems["run_label"] = "shows nothing; write something that can be read"
    require(problems)
    run_label = order.run_label or await _free_label(connection, row)
    await require_free(connection, version, mode, release, run_label=run_label)
    again = JobOrder(
        version_id=row.version_id,
        mode=mode,
        run_label=run_label,
        add_concurrency=min(row.add_concurrency, version.max_add_concurrency),
        search_concurrency=min(row.search_concurrency, version.max_search_concurrency),
    )
    submission = submission_of(again, version, release, allow_private=allow_private, resumes=row.job_id)
    shown = await load_job(connection, await submit_job(connection, parts, submission))
    assert shown is not None
    return Resumed(how="new_job", job=job_view(shown))


async def _free_label(connection: Connection, row: JobRow) -> str:
    """Raises `StateConflict` where every number is taken, which nobody reaches by resuming."""
    for number in range(times_resumed(row.run_label) + 1, MOST_RESUMES):
        label = resumed_label(row.run_label, number)
        if not await is_label_taken(connection, row.version_id, label_key(label)):
            return label
    raise StateConflict("run_label_taken", "choose a run_label for the resumed run")
