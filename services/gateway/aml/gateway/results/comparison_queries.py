"""Two jobs' outcomes side by side in the database. Takes a connection, never commits."""

from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, FromClause, Select, Text, and_, any_, func, select
from sqlalchemy.dialects.postgresql import ARRAY

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import fetch_all, given
from aml.gateway.storage.tables import job, unit

from .views import ChangedQuestion

_now = unit.alias("now_unit")
_before = unit.alias("before_unit")


def _pairs() -> FromClause:
    """A question has the same name in every job on the same dataset."""
    return _now.join(_before, and_(_before.c.unit == _now.c.unit, _before.c.job_id == given("with_job_id", Text())))


def _common() -> ColumnElement[bool]:
    datasets = any_(given("datasets", ARRAY(Text())))
    return and_(_now.c.job_id == given("job_id"), _now.c.dataset == datasets, _before.c.dataset == _now.c.dataset)


class Cell(Struct, frozen=True, kw_only=True):
    """How many questions went from one outcome to another, and whether their score fell (-1), stayed or rose."""

    before_outcome: str | None
    outcome: str | None
    change: int | None
    questions: int


@cache
def select_cells() -> Select[Any]:
    change = func.sign(_now.c.score - _before.c.score)
    keys = {"before_outcome": _before.c.outcome, "outcome": _now.c.outcome, "change": change}
    shown = (value.label(name) for name, value in keys.items())
    counted = select(*shown, func.count().label("questions")).select_from(_pairs()).where(_common())
    return counted.group_by(*keys.values())


async def load_cells(connection: Connection, job_id: str, with_job_id: str, datasets: list[str]) -> list[Cell]:
    return await fetch_all(connection, select_cells(), Cell, job_id=job_id, with_job_id=with_job_id, datasets=datasets)


@cache
def select_regressions() -> Select[Any]:
    fall = _now.c.score - _before.c.score
    return (
        select(
            *_now.c["unit", "dataset", "sample", "item", "category"],
            _before.c.outcome.label("before_outcome"),
            _before.c.score.label("before_score"),
            *_now.c["outcome", "score"],
        )
        .select_from(_pairs())
        .where(_common(), fall < 0)
        .order_by(fall, *_now.c["dataset", "sample", "item", "unit"])
        .limit(given("limit"))
        .offset(given("offset"))
    )


async def load_regressions(
    connection: Connection, job_id: str, with_job_id: str, datasets: list[str], limit: int, offset: int
) -> list[ChangedQuestion]:
    """The largest falls first."""
    return await fetch_all(
        connection,
        select_regressions(),
        ChangedQuestion,
        job_id=job_id,
        with_job_id=with_job_id,
        datasets=datasets,
        limit=limit,
        offset=offset,
    )


class PinsRow(Struct, frozen=True, kw_only=True):
    job_id: str
    datasets: bytes
    """JSON, as `DatasetPin`."""


@cache
def select_pins() -> Select[Any]:
    return select(*job.c["job_id", "datasets"]).where(job.c.job_id == any_(given("job_ids", ARRAY(Text()))))


async def load_pins(connection: Connection, *job_ids: str) -> dict[str, bytes]:
    rows = await fetch_all(connection, select_pins(), PinsRow, job_ids=list(job_ids))
    return {row.job_id: row.datasets for row in rows}
