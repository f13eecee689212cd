"""The endpoints of a request that is still open are checked again: by its applicant, or by a reviewer.

The gateway cannot open a sealed key. So a reviewer's check goes without it, and the applicant sends the key again, which then
takes the former one's place.
"""

from typing import Any

import msgspec
from litestar import Request, post
from litestar.params import FromPath, JSONBody

from aml.gateway.edge.authorise import authenticate, bearer_of
from aml.gateway.edge.injected import GivenParts
from aml.gateway.errors import FieldsInvalid, RoleMissing, StateConflict, Unauthenticated, Unknown
from aml.gateway.names import known
from aml.gateway.parts import Parts

from .access_queries import AccessRow, load_access, replace_access_secret
from .bodies import AccessApplication, EndpointRecheck
from .checked_intake import check_and_keep
from .claim_token import is_claim
from .endpoint_check import key_problems, require, seal_key
from .retired_secret_queries import retire_secret
from .views import EndpointCheck


@post(
    "/access-requests/{access_id:str}/check",
    summary="Check the endpoints of a request again; takes its claim token, or a reviewer's key",
    status_code=200,
)
async def check_again(
    request: Request[Any, Any, Any],
    parts: GivenParts,
    access_id: FromPath[str],
    data: JSONBody[EndpointRecheck | None] = None,
) -> EndpointCheck:
    row, is_applicant = await _row_for(request, parts, known("access_request", access_id))
    _require_open(row)
    application = msgspec.json.decode(row.application, type=AccessApplication)
    key = data.memory_system_key if data else None
    if key is not None:
        if not is_applicant:
            raise FieldsInvalid({"memory_system_key": "is the applicant's to send; check without it"})
        require(key_problems(application.auth, key))
    check = await check_and_keep(request, parts, access_id, application, key, again=True)
    if key is not None:
        await _keep_key(parts, access_id, key)
    return check


async def _row_for(request: Request[Any, Any, Any], parts: Parts, access_id: str) -> tuple[AccessRow, bool]:
    """And whether its applicant asks. Raises `Unauthenticated`, `RoleMissing`, `Unknown`."""
    if (token := bearer_of(request)) is None:
        raise Unauthenticated("key_missing")
    async with parts.database.read() as connection:
        row = await load_access(connection, access_id)
    if row is not None and is_claim(row, token):
        return row, True
    if token.startswith("claim_"):
        raise Unauthenticated("claim_token_unknown")
    caller = await authenticate(parts, token)
    if caller.role == "participant":
        raise RoleMissing(("reviewer", "operator"), caller.role)
    if row is None:
        raise Unknown("access_request", access_id)
    return row, False


async def _keep_key(parts: Parts, access_id: str, key: str) -> None:
    async with parts.database.transaction() as connection:
        row = await load_access(connection, access_id, lock=True)
        assert row is not None
        _require_open(row)
        await replace_access_secret(connection, access_id, await seal_key(parts.vault, key))
        await retire_secret(connection, row.secret_id, version_id=None)


def _require_open(row: AccessRow) -> None:
    if row.state != "submitted":
        raise StateConflict("already_decided", f"this request was {row.state}; smoke runs check what comes of it")
