"""What operators do: own runs, and driving parked units again."""

import msgspec
from litestar import get, post
from litestar.params import FromPath, FromQuery, JSONBody

from aml.contracts.jobs import DatasetPin
from aml.gateway.access.endpoint_check import WEB, endpoint_problems, key_problems, require, seal_key, target_of
from aml.gateway.access.version_queries import VersionRow, add_version
from aml.gateway.edge.authorise import OPERATORS
from aml.gateway.edge.idempotency import IdempotencyKey, create_once
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import StateConflict
from aml.gateway.jobs.job_access import require_visible
from aml.gateway.jobs.job_queries import load_job
from aml.gateway.jobs.job_view import job_view
from aml.gateway.jobs.submit_job import Submission, pins_of, submit_job
from aml.gateway.jobs.views import Job
from aml.gateway.keys.keys import Caller
from aml.gateway.names import known
from aml.gateway.storage.database import Connection
from aml.rules.identity import unit_of

from .bodies import RunOrder
from .drive_again import drive_again
from .parked_queries import load_parked
from .views import Parked, Requeued


@post("/operator/runs", summary="An own run: a system under development, or a baseline arm", guards=[OPERATORS])
async def create_run(
    parts: GivenParts, caller: GivenCaller, data: JSONBody[RunOrder], idempotency_key: IdempotencyKey = None
) -> Job:
    release = parts.releases.get(data.release_id)
    require(run_problems(data, platform_allows_private=parts.settings.network.allow_private))

    async def create(connection: Connection) -> Job:
        version = _version(data, caller, await seal_key(parts.vault, data.memory_system_key))
        await add_version(connection, version)
        datasets = pins_of(release.release.datasets) if data.mode == "full" else _pins(data)
        submission = Submission(
            version=version,
            mode=data.mode,
            run_label=data.run_label,
            release=release,
            datasets=datasets,
            add_concurrency=data.add_concurrency,
            search_concurrency=data.search_concurrency,
            allow_private=data.allow_private,
        )
        row = await load_job(connection, await submit_job(connection, parts, submission))
        assert row is not None
        return job_view(row)

    return await create_once(parts, scope=caller.key_id, key=idempotency_key, request=data, shape=Job, create=create)


@get("/operator/parked", summary="Units that no stage could handle", guards=[OPERATORS])
async def read_parked(parts: GivenParts, job_id: FromQuery[str | None] = None) -> Parked:
    async with parts.database.read() as connection:
        return Parked(parked=tuple(await load_parked(connection, known("job", job_id) if job_id else None)))


@post(
    "/operator/jobs/{job_id:str}/requeue",
    summary="Drive a job's parked units again",
    guards=[OPERATORS],
    status_code=200,
)
async def requeue(parts: GivenParts, caller: GivenCaller, job_id: FromPath[str]) -> Requeued:
    async with parts.database.transaction() as connection:
        row = await require_visible(connection, caller, job_id)
        if row.state not in ("queued", "running"):
            raise StateConflict("job_ended", f"this job is {row.state}; its units are not driven again")
        units = await drive_again(connection, job_id, parts.clock.now_ms())
        if not units:
            raise StateConflict("nothing_parked", "no unit of this job is parked")
    parts.outbox.wake()
    return Requeued(job_id=job_id, requeued=units)


def run_problems(order: RunOrder, *, platform_allows_private: bool) -> dict[str, str]:
    problems: dict[str, str] = {}
    if order.mode == "full":
        if order.arm == "participant":
            problems["mode"] = "full is for the baseline arms here; participants start their own full runs"
        if order.datasets:
            problems["datasets"] = "must be empty: a full run takes the release's own datasets"
    elif not order.datasets:
        problems["datasets"] = "is empty; name at least one bundle"
    elif len({dataset.name for dataset in order.datasets}) != len(order.datasets):
        problems["datasets"] = "has two bundles of one name; name each once"
    if order.allow_private and not platform_allows_private:
        problems["allow_private"] = "is not possible here: this platform was started without AML_NETWORK_ALLOW_PRIVATE"
    if order.arm != "participant":
        if order.endpoints is not None or order.memory_system_key is not None:
            problems["endpoints"] = f"must be absent: the arm {order.arm} calls nobody"
        return problems
    if order.endpoints is None:
        return problems | {"endpoints": "is missing; say where Add and Search are"}
    private = order.allow_private and platform_allows_private
    return (
        problems
        | endpoint_problems(order.endpoints, schemes=WEB, allow_private=private)
        | key_problems(order.auth, order.memory_system_key)
    )


def _pins(order: RunOrder) -> tuple[DatasetPin, ...]:
    return tuple(
        DatasetPin(
            name=each.name,
            adapter=each.adapter,
            version=each.version,
            sha256=each.sha256,
            limit=each.limit,
            sample_seed=each.sample_seed,
        )
        for each in order.datasets
    )


def _version(order: RunOrder, caller: Caller, secret_id: str | None) -> VersionRow:
    """The same system at the same place is the same version, whatever run it is."""
    target = target_of(order.endpoints, order.auth, secret_id) if order.endpoints is not None else None
    encoded = msgspec.json.encode(target, order="sorted") if target is not None else None
    name = unit_of("own-version", caller.key_id, order.system, order.version, order.track, order.arm, str(encoded))
    return VersionRow(
        version_id=f"ver-{name}",
        key_id=caller.key_id,
        system=order.system,
        version=order.version,
        track=order.track,
        division="baseline" if order.arm != "participant" else "open_source",
        arm=order.arm,
        own_run=True,
        target=encoded,
        max_add_concurrency=order.add_concurrency,
        max_search_concurrency=order.search_concurrency,
    )
