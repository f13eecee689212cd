"""Participants attest that a job's evaluation data is deleted on their side, within 30 days after its end.

Every moment is the database's. Owed for each job of a participant's key that data was sent for.
"""

import hashlib
from typing import Annotated

from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from aml.contracts.deletion import DeletionAttested
from aml.gateway.edge.authorise import ANY_ROLE, allow
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.errors import StateConflict
from aml.gateway.jobs.job_access import require_visible
from aml.gateway.storage.outbox import enqueue

from .attestation_queries import AttestationState, add_attestation, load_attestation, load_attestation_page
from .bodies import AttestationOrder
from .views import Attestation, Attestations


@post(
    "/jobs/{job_id:str}/deletion-attestation",
    summary="Attest that the job's evaluation data is deleted on your side",
    guards=[allow("participant")],
)
async def attest_deletion(
    parts: GivenParts, caller: GivenCaller, job_id: FromPath[str], data: JSONBody[AttestationOrder]
) -> Attestation:
    async with parts.database.transaction() as connection:
        row = await require_visible(connection, caller, job_id)
        if row.ended_at is None:
            raise StateConflict("job_active", f"this job is {row.state}; attest once it has ended", job_id=job_id)
        if await load_attestation(connection, job_id) is None:
            raise StateConflict("nothing_to_attest", "no data was sent for this job, so there is nothing to delete")
        if not await add_attestation(connection, job_id, data.statement, caller.key_id):
            raise StateConflict("already_attested", "the deletion was attested for this job; that statement stands")
        statement = hashlib.sha256(data.statement.encode()).hexdigest()
        await enqueue(
            connection,
            DeletionAttested(at=parts.clock.now_ms(), job_id=job_id, key_id=caller.key_id, statement=statement),
        )
        attested = await load_attestation(connection, job_id)
        assert attested is not None
    parts.outbox.wake()
    return attested


@get(
    "/deletion-attestations",
    summary="What deletions are attested, owed or overdue: yours, or everybody's for reviewers and operators",
    guards=[ANY_ROLE],
)
async def list_attestations(
    parts: GivenParts,
    caller: GivenCaller,
    in_state: Annotated[AttestationState | None, QueryParameter(name="state")] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Attestations:
    key_id = caller.key_id if caller.role == "participant" else None
    async with parts.database.read() as connection:
        rows = await load_attestation_page(connection, key_id, in_state, limit, offset)
    return Attestations(attestations=tuple(rows))
