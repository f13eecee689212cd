"""A key's own version, held still: what is decided about it, by a job or by an edit, follows one another."""

from aml.gateway.errors import StateConflict, Unauthenticated, Unknown
from aml.gateway.names import known
from aml.gateway.storage.database import Connection
from aml.gateway.storage.track_lock import lock_track_of

from .version_queries import VersionRow, VersionStanding, hold_version, load_standing


async def runnable_version(connection: Connection, version_id: str, key_id: str) -> VersionRow:
    """For a job of it; the transaction holds its key and track until it ends. Raises `Unknown`, `StateConflict`."""
    if not await lock_track_of(connection, known("version", version_id), key_id):
        raise Unknown("version", version_id)
    row = await hold_version(connection, version_id, key_id)  # as it is now that no edit can come
    assert row is not None
    if not row.key_live:
        raise Unauthenticated("key_revoked")
    if row.withdrawn_at is not None:
        raise StateConflict("version_withdrawn", "this version was withdrawn; bind another one")
    return row


async def held_version(connection: Connection, version_id: str, key_id: str) -> VersionStanding:
    """For an edit of it. Raises `Unknown`, and `StateConflict` for one that was withdrawn."""
    row = await runnable_version(connection, version_id, key_id)
    standing = await load_standing(connection, row.version_id, key_id)
    assert standing is not None
    return standing


def require_unfrozen(standing: VersionStanding) -> None:
    """Raises `StateConflict` with the full run that was accepted."""
    if standing.full_job_id is not None:
        raise StateConflict(
            "version_frozen",
            f"the full run {standing.full_job_id} of this version was accepted: it can be neither edited nor withdrawn",
            job_id=standing.full_job_id,
        )
