"""Checks a request's endpoints in the caller's turn and keeps what was found beside the request."""

from collections.abc import Collection
from typing import Any

import msgspec
from litestar import Request

from aml.gateway.edge.rate_limit import address_of
from aml.gateway.parts import Parts
from aml.runtime.secret import Secret

from .access_queries import AccessRow, load_access, set_endpoint_check
from .bodies import AccessApplication
from .endpoint_visit import hosts_of, visit_endpoints, with_what_was_known
from .views import EndpointCheck


async def check_and_keep(
    request: Request[Any, Any, Any],
    parts: Parts,
    access_id: str,
    application: AccessApplication,
    key: str | None,
    *,
    again: bool,
    patience_seconds: float = 0.0,
) -> EndpointCheck:
    """`key` was found usable before. Unless `again`, a check that was made meanwhile is returned. Raises `MustWait`.

    No connection to the database is held while the participant is called.
    """
    address = address_of(request.scope, parts.settings.rate.proxies)
    async with parts.check_turns.turn(address, hosts_of(application.endpoints), patience_seconds=patience_seconds):
        before = await _kept(parts, access_id)
        if before is not None and not again:
            return before
        network = parts.settings.network
        check = await visit_endpoints(
            application.endpoints,
            application.auth,
            None if key is None else Secret(key),
            track=application.track,
            allow_private=network.allow_private,
            ports=_default_ports(parts),
            clock=parts.clock,
        )
        check = with_what_was_known(check, before)
        async with parts.database.read() as connection:
            await set_endpoint_check(connection, access_id, msgspec.json.encode(check))
        return check


def _default_ports(parts: Parts) -> Collection[int]:
    """Empty for any, also where the default release is none that can be read."""
    known = {each.release.release_id: each.release.allowed_ports for each in parts.releases.all()}
    return known.get(parts.releases.default, ())


def check_kept(row: AccessRow) -> EndpointCheck | None:
    return None if row.endpoint_check is None else msgspec.json.decode(row.endpoint_check, type=EndpointCheck)


async def _kept(parts: Parts, access_id: str) -> EndpointCheck | None:
    async with parts.database.read() as connection:
        row = await load_access(connection, access_id)
    return None if row is None else check_kept(row)
