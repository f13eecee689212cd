"""A participant's order: one transaction from the key's lock to the job and its event."""

from litestar import post
from litestar.params import JSONBody

from aml.gateway.access.endpoint_check import require
from aml.gateway.access.version_access import runnable_version
from aml.gateway.edge.authorise import allow
from aml.gateway.edge.idempotency import IdempotencyKey, create_once
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.storage.database import Connection

from .bodies import JobOrder
from .free_to_run import require_free
from .job_queries import load_job
from .job_view import job_view
from .order_rules import order_problems, submission_of
from .submit_job import submit_job
from .views import Job


@post("/jobs", summary="Start a smoke or a full run", guards=[allow("participant")])
async def create_job(
    parts: GivenParts, caller: GivenCaller, data: JSONBody[JobOrder], idempotency_key: IdempotencyKey = None
) -> Job:
    async def create(connection: Connection) -> Job:
        version = await runnable_version(connection, data.version_id, caller.key_id)
        release = parts.releases.get(data.release_id)
        allow_private = parts.settings.network.allow_private
        require(order_problems(data, version, release, allow_private=allow_private))
        await require_free(connection, version, data.mode, release, run_label=data.run_label)
        submission = submission_of(data, version, release, allow_private=allow_private)
        row = await load_job(connection, await submit_job(connection, parts, submission))
        assert row is not None
        return job_view(row)

    return await create_once(parts, scope=caller.key_id, key=idempotency_key, request=data, shape=Job, create=create)
