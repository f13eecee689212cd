"""What versions were applied for with, as the database holds it. Takes a connection, never commits."""

from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, field
from sqlalchemy import Select, func, select

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import fetch_all, given
from aml.gateway.storage.tables import access_request, system_version

from .duplicates import Disclosed


class _Endpoints(Struct, frozen=True):
    add_url: str | None = None
    search_url: str | None = None


class _Disclosure(Struct, frozen=True):
    repository: str | None = None
    commit: str | None = None


class _Application(Struct, frozen=True):
    """Of an application only what tells two systems apart, whatever form it had when it was stored."""

    organisation: str | None = None
    endpoints: _Endpoints = field(default_factory=_Endpoints)
    disclosure: _Disclosure = field(default_factory=_Disclosure)


class DisclosedRow(Struct, frozen=True, kw_only=True):
    version_id: str
    key_id: str
    system: str
    version: str
    changes: int
    application: bytes | None
    access_id: str | None
    disclosed_at: datetime | None


@cache
def select_disclosed() -> Select[Any]:
    own = ("version_id", "key_id", "system", "version", "changes")
    return (
        select(
            *system_version.c[own],
            func.coalesce(system_version.c.application, access_request.c.application).label("application"),
            access_request.c.access_id,
            access_request.c.created_at.label("disclosed_at"),
        )
        .select_from(
            system_version.outerjoin(access_request, access_request.c.version_id == system_version.c.version_id)
        )
        .where(~system_version.c.own_run)
        .order_by(system_version.c.created_at.desc(), system_version.c.version_id)
        .limit(given("limit"))
    )


async def load_disclosed(connection: Connection, limit: int) -> list[DisclosedRow]:
    """All bound versions, the newest first."""
    return await fetch_all(connection, select_disclosed(), DisclosedRow, limit=limit)


def disclosed_of(row: DisclosedRow) -> Disclosed:
    try:
        said = msgspec.json.decode(row.application, type=_Application) if row.application else _Application()
    except (msgspec.ValidationError, msgspec.DecodeError):
        said = _Application()  # of a form that is no longer known: it is like nothing
    return Disclosed(
        version_id=row.version_id,
        key_id=row.key_id,
        system=row.system,
        version=row.version,
        organisation=said.organisation,
        repository=said.disclosure.repository,
        commit=said.disclosure.commit,
        urls=tuple(url for url in (said.endpoints.add_url, said.endpoints.search_url) if url is not None),
        access_id=row.access_id,
        disclosed_at=row.disclosed_at,
        changes=row.changes,
    )
