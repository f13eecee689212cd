"""The end of a key, by its owner or by an operator. Its jobs end with it: nobody could see what comes of them."""

from litestar import post
from litestar.params import FromPath, JSONBody

from aml.contracts.access import KeyRevoked
from aml.contracts.decisions import DecisionExplained
from aml.contracts.jobs import JobCancelled
from aml.gateway.edge.authorise import ANY_ROLE, OPERATORS
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import StateConflict, Unknown
from aml.gateway.jobs.await_end import once_sealed
from aml.gateway.jobs.job_queries import cancel_job, load_active_jobs
from aml.gateway.names import known
from aml.gateway.parts import Parts
from aml.gateway.storage.database import DATABASE_AWAY, Connection
from aml.gateway.storage.outbox import enqueue

from .bodies import KeyRevocation
from .key_queries import end_key, hold_live_operators, load_role
from .keys import Caller
from .views import KeyEnded


@post("/me/key/revoke", summary="Revoke this key, for good", guards=[ANY_ROLE], status_code=200)
async def revoke_own_key(parts: GivenParts, caller: GivenCaller, data: JSONBody[KeyRevocation]) -> KeyEnded:
    return await _revoke(parts, caller, caller.key_id, data.reason)


@post("/operator/keys/{key_id:str}/revoke", summary="Revoke any key, for good", guards=[OPERATORS], status_code=200)
async def revoke_any_key(
    parts: GivenParts, caller: GivenCaller, key_id: FromPath[str], data: JSONBody[KeyRevocation]
) -> KeyEnded:
    return await _revoke(parts, caller, known("key", key_id), data.reason)


async def _revoke(parts: Parts, caller: Caller, key_id: str, reason: str) -> KeyEnded:
    async with parts.database.transaction() as connection:
        role = await load_role(connection, key_id)
        if role is None:
            raise Unknown("key", key_id)
        if role == "operator" and await hold_live_operators(connection) == [key_id]:
            raise StateConflict("last_operator", "this is the last operator's key; make another one before it goes")
        if not await end_key(connection, key_id, by=caller.key_id, reason=reason):
            raise StateConflict("already_revoked", "this key was revoked before; it stays so")
        now = parts.clock.now_ms()
        why = DecisionExplained(at=now, decision="key_revoked", about=key_id, number=1, by=caller.key_id, reason=reason)
        await enqueue(connection, KeyRevoked(at=now, key_id=key_id, reason=reason), why)
        cancelled = await _cancel_jobs(connection, parts, caller, key_id)
    parts.outbox.wake()
    return KeyEnded(key_id=key_id, cancelled_jobs=await _ended_so(parts, cancelled))


async def _ended_so(parts: Parts, ordered: list[str]) -> tuple[str, ...]:
    """Without those that were completed before the order reached them."""
    try:
        otherwise = {row.job_id for row in await once_sealed(parts, ordered) if row.state != "cancelled"}
    except DATABASE_AWAY:
        otherwise = set()  # the orders were stored
    return tuple(job_id for job_id in ordered if job_id not in otherwise)


async def _cancel_jobs(connection: Connection, parts: Parts, caller: Caller, key_id: str) -> list[str]:
    cancelled = []
    for job_id in await load_active_jobs(connection, key_id):
        if await cancel_job(connection, job_id, caller.key_id):
            fact = JobCancelled(
                at=parts.clock.now_ms(), job_id=job_id, cancelled_by=caller.key_id, reason="the job's key was revoked"
            )
            await enqueue(connection, fact)
            cancelled.append(job_id)
    return cancelled
