"""Who may call a route, read off the route itself."""

from collections.abc import Mapping
from typing import Final

from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from .authorise import RoleGuard


class RouteAccess(Struct, frozen=True, kw_only=True):
    roles: tuple[str, ...] = ()
    """Whose keys are let through."""
    instead: str = ""
    """What stands in for a key."""
    key_needed: bool = True


_WITHOUT_GUARD: Final[Mapping[str, RouteAccess]] = {
    "request_access": RouteAccess(roles=("participant",), key_needed=False),
    "read_access": RouteAccess(instead="the request's claim token"),
    "claim_key": RouteAccess(instead="the request's claim token"),
    "check_again": RouteAccess(roles=("reviewer", "operator"), instead="the request's claim token"),
    "propose_benchmark": RouteAccess(roles=("participant",), key_needed=False),
    "read_proposal": RouteAccess(roles=("participant", "reviewer", "operator"), instead="the proposal's token"),
    "put_package": RouteAccess(instead="the proposal's token, or the key that it is linked to"),
}
"""Routes that look at the token themselves, since it may be none of ours."""


def access_of(handler: HTTPRouteHandler) -> RouteAccess | None:
    """None for what everybody may call."""
    for guard in handler.guards or ():
        if isinstance(guard, RoleGuard):
            return RouteAccess(roles=guard.roles)
    return _WITHOUT_GUARD.get(handler.fn.__name__)


def in_words(access: RouteAccess | None) -> str:
    if access is None:
        return "Open to everybody."
    keys = f"a key of role {' or '.join(access.roles)}" if access.roles else ""
    takes = " or ".join(part for part in (access.instead, keys) if part)
    return f"Takes {takes}." if access.key_needed else f"Takes no key, or {keys}."
