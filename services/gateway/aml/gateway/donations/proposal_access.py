"""Who may see a proposal: its donor by token or key, reviewers and operators. For everybody else it does not exist."""

import hmac
from typing import Any

from litestar import Request

from aml.gateway.edge.authorise import authenticate, bearer_of
from aml.gateway.errors import Unauthenticated, Unknown
from aml.gateway.keys.keys import Caller, hash_key
from aml.gateway.names import known
from aml.gateway.parts import Parts
from aml.gateway.storage.database import Connection

from .proposal_queries import ProposalRow, load_proposal


async def require_proposal(
    connection: Connection, request: Request[Any, Any, Any], parts: Parts, proposal_id: str, *, to_change: bool = False
) -> ProposalRow:
    """Raises `Unauthenticated`, and `Unknown` alike for what is not there and for what is somebody else's.

    `to_change`: only for its donor.
    """
    if (token := bearer_of(request)) is None:
        raise Unauthenticated("key_missing")
    row = await load_proposal(connection, known("proposal", proposal_id))
    if row is not None and hmac.compare_digest(row.token_hash, hash_key(token)):
        return row
    caller = await authenticate(parts, token)
    if row is None or not (_is_donor(row, caller) or (caller.role != "participant" and not to_change)):
        raise Unknown("proposal", proposal_id)
    return row


def _is_donor(row: ProposalRow, caller: Caller) -> bool:
    return row.key_id is not None and row.key_id == caller.key_id
