"""Nobody reviews their own system: not by the same key, not by a key that they hold besides, not of their organisation."""

import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import Select, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.sql.dml import ReturningInsert

from aml.gateway.errors import OwnSystem
from aml.gateway.keys.keys import Caller
from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import fetch_column, fetch_one, fetch_value, given
from aml.gateway.storage.tables import api_key, reviewer_link


class ReviewerLink(Struct, frozen=True, kw_only=True):
    organisation: str | None
    participant_key_id: str | None


async def require_impartial(
    connection: Connection, caller: Caller, *, key_id: str | None, organisations: Iterable[str] = ()
) -> None:
    """`key_id` is whose system it is; its label, the organisation that got it, counts besides. Raises `OwnSystem`."""
    if key_id == caller.key_id:
        raise OwnSystem
    link = await load_reviewer_link(connection, caller.key_id)
    if link is None:
        return
    labels = await fetch_column(connection, select_key_label(), key_id=key_id) if key_id is not None else []
    if is_own(link, key_id, [*organisations, *labels]):
        raise OwnSystem


def is_own(link: ReviewerLink, key_id: str | None, organisations: Iterable[str]) -> bool:
    if link.participant_key_id is not None and link.participant_key_id == key_id:
        return True
    return link.organisation is not None and fold_organisation(link.organisation) in map(
        fold_organisation, organisations
    )


def fold_organisation(name: str) -> str:
    """`Ada's Lab`, `adas lab` and `ADA'S  LAB` are one; a name of signs alone stays what it is."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(char for char in folded if char.isalnum()) or folded


@cache
def select_reviewer_link() -> Select[Any]:
    return select(*reviewer_link.c[ReviewerLink.__struct_fields__]).where(reviewer_link.c.key_id == given("key_id"))


async def load_reviewer_link(connection: Connection, key_id: str) -> ReviewerLink | None:
    return await fetch_one(connection, select_reviewer_link(), ReviewerLink, key_id=key_id)


@cache
def select_key_label() -> Select[Any]:
    return select(api_key.c.label).where(api_key.c.key_id == given("key_id"), api_key.c.role == "participant")


@cache
def select_key_role() -> Select[Any]:
    return select(api_key.c.role).where(api_key.c.key_id == given("key_id"))


async def load_key_role(connection: Connection, key_id: str) -> str | None:
    return next(iter(await fetch_column(connection, select_key_role(), key_id=key_id)), None)


@cache
def upsert_reviewer_link() -> ReturningInsert[Any]:
    columns = ("organisation", "participant_key_id", "linked_by")
    fresh = insert(reviewer_link).values(key_id=given("key_id"), **{name: given(name) for name in columns})
    return fresh.on_conflict_do_update(
        index_elements=[reviewer_link.c.key_id],
        set_={
            **{name: fresh.excluded[name] for name in columns},
            "linked_at": func.now(),
            "links": reviewer_link.c.links + 1,
        },
    ).returning(reviewer_link.c.links)


async def set_reviewer_link(connection: Connection, key_id: str, link: ReviewerLink, linked_by: str) -> int:
    """The link's number, from 1. One that names nobody stays, as the last word about the key."""
    number = await fetch_value(
        connection,
        upsert_reviewer_link(),
        key_id=key_id,
        organisation=link.organisation,
        participant_key_id=link.participant_key_id,
        linked_by=linked_by,
    )
    return int(number)
