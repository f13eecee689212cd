"""What an applicant shows instead of a key, until there is one."""

import hmac
from typing import Any

from litestar import Request

from aml.gateway.edge.authorise import bearer_of
from aml.gateway.errors import Unauthenticated
from aml.gateway.keys.keys import hash_key

from .access_queries import AccessRow


def require_claim(row: AccessRow | None, request: Request[Any, Any, Any]) -> AccessRow:
    """Raises `Unauthenticated`, also for a request that does not exist."""
    token = bearer_of(request)
    if token is None:
        raise Unauthenticated("key_missing")
    if row is None or not is_claim(row, token):
        raise Unauthenticated("claim_token_unknown")
    return row


def is_claim(row: AccessRow, token: str) -> bool:
    return hmac.compare_digest(row.claim_hash, hash_key(token))
