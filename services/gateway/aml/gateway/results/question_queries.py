"""Questions of a job in the database: pages with filters, one by one, and all of them in turn. Never commits."""

from functools import cache
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import asdict
from sqlalchemy import ColumnElement, Select, Text, and_, any_, func, or_, select
from sqlalchemy.dialects.postgresql import ARRAY, array

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import fetch_all, fetch_column, fetch_one, fetch_value, given
from aml.gateway.storage.tables import unit

from .views import QuestionRow

Sort = Literal["failures_first", "dataset", "slowest_first"]

_COLUMNS = tuple(name for name in QuestionRow.__struct_fields__ if name != "question")
_FAILURES_FIRST = ("unscored", "incorrect", "graded", "correct")
_PLACE = ("dataset", "sample", "item", "unit")


class QuestionFilter(Struct, frozen=True, kw_only=True):
    """None lets everything through. `words` is looked for in names, reasons and details."""

    outcome: str | None = None
    dataset: str | None = None
    category: str | None = None
    reason: str | None = None
    words: str | None = None
    said: list[str] = field(default_factory=list)
    """Units whose question has the words in its text, which no table holds."""


def _asked() -> ColumnElement[bool]:
    """A filter that may be absent is a condition that then holds (docs/adr/0008)."""
    equal = []
    for name in ("outcome", "dataset", "category", "reason"):
        value = given(name, Text())
        equal.append(or_(value.is_(None), unit.c[name] == value))
    words = given("words", Text())
    seen = func.lower(func.concat_ws(" ", *unit.c["unit", "dataset", "sample", "category", "reason", "detail", "rule"]))
    said = unit.c.unit == any_(given("said", ARRAY(Text())))
    found = or_(words.is_(None), func.strpos(seen, func.lower(words)) > 0, said)
    return and_(unit.c.job_id == given("job_id"), *equal, found)


def _order(sort: Sort) -> tuple[ColumnElement[Any], ...]:
    place = tuple(unit.c[_PLACE])
    match sort:
        case "failures_first":
            return (func.array_position(array(_FAILURES_FIRST, type_=Text()), unit.c.outcome), unit.c.score, *place)
        case "slowest_first":
            return (unit.c.search_micros.desc().nulls_last(), *place)
        case "dataset":
            return place


@cache
def select_question_page(sort: Sort = "failures_first") -> Select[Any]:
    return (
        select(*unit.c[_COLUMNS]).where(_asked()).order_by(*_order(sort)).limit(given("limit")).offset(given("offset"))
    )


@cache
def select_question_count() -> Select[Any]:
    return select(func.count()).select_from(unit).where(_asked())


async def load_question_page(
    connection: Connection, job_id: str, asked: QuestionFilter, sort: Sort, limit: int, offset: int
) -> tuple[int, list[QuestionRow]]:
    """Returns how many match, and the page."""
    values = {"job_id": job_id, **asdict(asked)}
    rows = await fetch_all(connection, select_question_page(sort), QuestionRow, limit=limit, offset=offset, **values)
    return int(await fetch_value(connection, select_question_count(), **values)), rows


@cache
def select_samples() -> Select[Any]:
    return (
        select(unit.c.sample)
        .where(unit.c.job_id == given("job_id"), unit.c.sample.is_not(None))
        .group_by(unit.c.sample)
        .order_by(unit.c.sample)
        .limit(given("limit"))
    )


async def load_samples(connection: Connection, job_id: str, limit: int) -> list[str]:
    return await fetch_column(connection, select_samples(), job_id=job_id, limit=limit)


@cache
def select_question() -> Select[Any]:
    return select(*unit.c[_COLUMNS]).where(unit.c.job_id == given("job_id"), unit.c.unit == given("unit"))


async def load_question(connection: Connection, job_id: str, unit_name: str) -> QuestionRow | None:
    return await fetch_one(connection, select_question(), QuestionRow, job_id=job_id, unit=unit_name)


@cache
def select_questions_after() -> Select[Any]:
    return (
        select(*unit.c[_COLUMNS])
        .where(unit.c.job_id == given("job_id"), unit.c.unit > given("after"))
        .order_by(unit.c.unit)
        .limit(given("limit"))
    )


async def load_questions_after(connection: Connection, job_id: str, after: str, limit: int) -> list[QuestionRow]:
    """In the order of their names, which costs the same however far one is; begin with an empty `after`."""
    return await fetch_all(connection, select_questions_after(), QuestionRow, job_id=job_id, after=after, limit=limit)
