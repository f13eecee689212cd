"""A participant's versions: listed, edited, withdrawn, and given another memory system key."""

from typing import Final

import msgspec
from litestar import get, patch, post, put
from litestar.params import FromPath, JSONBody

from aml.contracts.access import MemoryKeyReplaced, VersionChanged, VersionWithdrawn
from aml.contracts.participant import ParticipantTarget
from aml.gateway.edge.authorise import ANY_ROLE, allow
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import FieldsInvalid, StateConflict
from aml.gateway.keys.keys import Caller
from aml.gateway.parts import Parts
from aml.gateway.storage.database import Connection
from aml.gateway.storage.outbox import enqueue

from .bodies import AccessApplication, MemoryKeyOrder, VersionChange, Withdrawal
from .endpoint_check import key_problems, require, seal_key, target_of
from .public_disclosure import disclosed_fields
from .retired_secret_queries import retire_secret
from .version_access import held_version, require_unfrozen
from .version_change import change_problems, changed_by
from .version_queries import (
    VersionStanding,
    change_version_row,
    load_standing,
    load_standings,
    replace_memory_key,
    withdraw_version_row,
)
from .version_view import version_view
from .views import Version, Versions

_PARTICIPANTS: Final = allow("participant")


@get("/versions", summary="The versions that are bound to this key", guards=[ANY_ROLE])
async def read_versions(parts: GivenParts, caller: GivenCaller) -> Versions:
    async with parts.database.read() as connection:
        return Versions(versions=tuple(map(version_view, await load_standings(connection, caller.key_id))))


@patch("/versions/{version_id:str}", summary="Edit a version before its full run", guards=[_PARTICIPANTS])
async def change_version(
    parts: GivenParts, caller: GivenCaller, version_id: FromPath[str], data: JSONBody[VersionChange]
) -> Version:
    async with parts.database.transaction() as connection:
        standing = await held_version(connection, version_id, caller.key_id)
        require_unfrozen(standing)
        before, target = _stated(standing)
        require(change_problems(before, data, allow_private=parts.settings.network.allow_private))
        changed = changed_by(before, data)
        after = changed.application
        if data.memory_system_key is not None:
            target = await _with_key(connection, parts, standing, target, after, data.memory_system_key)
        target = target_of(after.endpoints, target.auth, target.secret_id)
        if changed.parts or data.memory_system_key is not None:
            number = await change_version_row(
                connection,
                version_id,
                target=msgspec.json.encode(target),
                application=msgspec.json.encode(after, order="sorted"),
                max_add_concurrency=after.capacity.max_add_concurrency,
                max_search_concurrency=after.capacity.max_search_concurrency,
                endpoints_revision=standing.endpoints_revision + changed.endpoints,
            )
            fact = VersionChanged(
                at=parts.clock.now_ms(),
                version_id=version_id,
                key_id=caller.key_id,
                number=number,
                changed=changed.parts,
                new_smoke_needed=changed.endpoints,
                **disclosed_fields(after),
            )
            if changed.parts:
                await enqueue(connection, fact)
            if data.memory_system_key is not None:
                await _note_new_key(connection, parts, caller, version_id, target, after)
        view = await _shown(connection, version_id, caller)
    parts.outbox.wake()
    return view


@put("/versions/{version_id:str}/memory-system-key", summary="Replace the memory system key", guards=[_PARTICIPANTS])
async def replace_key(
    parts: GivenParts, caller: GivenCaller, version_id: FromPath[str], data: JSONBody[MemoryKeyOrder]
) -> Version:
    require(key_problems(data.auth, data.memory_system_key))
    async with parts.database.transaction() as connection:
        standing = await held_version(connection, version_id, caller.key_id)
        if data.auth == "none":
            require_unfrozen(standing)
        stated, target = _stated(standing)
        after = msgspec.structs.replace(stated, auth=data.auth)
        target = await _with_key(connection, parts, standing, target, after, data.memory_system_key)
        await _note_new_key(connection, parts, caller, version_id, target, after)
        view = await _shown(connection, version_id, caller)
    parts.outbox.wake()
    return view


@post("/versions/{version_id:str}/withdraw", summary="Withdraw", guards=[_PARTICIPANTS], status_code=200)
async def withdraw(
    parts: GivenParts, caller: GivenCaller, version_id: FromPath[str], data: JSONBody[Withdrawal]
) -> Version:
    async with parts.database.transaction() as connection:
        standing = await held_version(connection, version_id, caller.key_id)
        require_unfrozen(standing)
        if (active := standing.active_job_id) is not None:
            raise StateConflict("job_active", f"job {active} of this version is active; cancel it first", job_id=active)
        await withdraw_version_row(connection, version_id, data.reason)
        await retire_secret(connection, _stated(standing)[1].secret_id, version_id=version_id)
        fact = VersionWithdrawn(
            at=parts.clock.now_ms(), version_id=version_id, key_id=caller.key_id, reason=data.reason
        )
        await enqueue(connection, fact)
        view = await _shown(connection, version_id, caller)
    parts.outbox.wake()
    return view


def _stated(standing: VersionStanding) -> tuple[AccessApplication, ParticipantTarget]:
    if standing.application is None:
        raise FieldsInvalid({"version_id": "was bound before versions could be edited; bind it anew"})
    return (
        msgspec.json.decode(standing.application, type=AccessApplication),
        msgspec.json.decode(standing.target, type=ParticipantTarget),
    )


async def _with_key(
    connection: Connection,
    parts: Parts,
    standing: VersionStanding,
    target: ParticipantTarget,
    after: AccessApplication,
    key: str | None,
) -> ParticipantTarget:
    """The target with the new key's id; the former key is destroyed once no job uses it."""
    await retire_secret(connection, target.secret_id, version_id=standing.version_id)
    return target_of(after.endpoints, after.auth, await seal_key(parts.vault, key))


async def _note_new_key(
    connection: Connection,
    parts: Parts,
    caller: Caller,
    version_id: str,
    target: ParticipantTarget,
    after: AccessApplication,
) -> None:
    number = await replace_memory_key(
        connection,
        version_id,
        target=msgspec.json.encode(target),
        application=msgspec.json.encode(after, order="sorted"),
    )
    await enqueue(
        connection,
        MemoryKeyReplaced(at=parts.clock.now_ms(), version_id=version_id, key_id=caller.key_id, number=number),
    )


async def _shown(connection: Connection, version_id: str, caller: Caller) -> Version:
    standing = await load_standing(connection, version_id, caller.key_id)
    assert standing is not None
    return version_view(standing)
