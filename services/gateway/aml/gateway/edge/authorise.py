"""Who calls, and whether their role may. Runs before the body is read."""

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Guard

from aml.gateway.errors import RoleMissing, Unauthenticated
from aml.gateway.keys.key_queries import mark_used
from aml.gateway.keys.keys import VISIBLE_CHARS, Caller, hash_key, is_plausible, match_key, why_refused
from aml.gateway.keys.replacement_queries import is_former_key
from aml.gateway.keys.views import Role
from aml.gateway.parts import Parts

_SCHEME = "bearer "


def bearer_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The token after `Bearer`; None without the header. Raises `Unauthenticated` for another scheme."""
    header = connection.headers.get("authorization")
    if header is None:
        return None
    if not header.lower().startswith(_SCHEME):
        raise Unauthenticated("key_missing")
    return header[len(_SCHEME) :].strip()


async def authenticate(parts: Parts, token: str | None) -> Caller:
    """Raises `Unauthenticated`."""
    if token is None:
        raise Unauthenticated("key_missing")
    if is_plausible(token):
        key = match_key(token, await parts.keys.get(token[:VISIBLE_CHARS]) or ())
        if key is None:
            # The whole hash is looked up, so what its time tells is about the whole key and not about a part of it.
            async with parts.database.read() as connection:
                former = await is_former_key(connection, hash_key(token))
            raise Unauthenticated("key_replaced" if former else "key_unknown")
        if (refused := why_refused(key)) is not None:
            raise Unauthenticated(refused)
        if not key.used:
            async with parts.database.read() as connection:
                await mark_used(connection, key.key_id)
        return Caller(key_id=key.key_id, role=key.role)
    raise Unauthenticated("key_unknown")


async def participant_or_nobody(request: Request[Any, Any, Any], parts: Parts) -> Caller | None:
    """For a route that a key is not needed for. Raises `Unauthenticated`, and `RoleMissing` for another role's key."""
    if (token := bearer_of(request)) is None:
        return None
    caller = await authenticate(parts, token)
    if caller.role != "participant":
        raise RoleMissing(("participant",), caller.role)
    return caller


class RoleGuard:
    """Lets callers of `roles` through; the handler takes the caller as `caller: Caller`."""

    def __init__(self, roles: tuple[Role, ...]) -> None:
        self.roles = roles

    async def __call__(self, connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        caller = await authenticate(connection.app.state.parts, bearer_of(connection))
        if caller.role not in self.roles:
            raise RoleMissing(self.roles, caller.role)
        connection.scope["user"] = caller


def allow(*roles: Role) -> Guard:
    return RoleGuard(roles)


ANY_ROLE = allow("participant", "reviewer", "operator")
REVIEWERS = allow("reviewer", "operator")
OPERATORS = allow("operator")


def provide_caller(request: Request[Any, Any, Any]) -> Caller:
    caller = request.scope.get("user")
    assert isinstance(caller, Caller)
    return caller
