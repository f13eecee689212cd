"""A job's results, and what its questions took, in the database. Takes a connection, never commits."""

from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    case,
    cast,
    func,
    literal_column,
    select,
)

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import fetch_all, fetch_value, given
from aml.gateway.storage.tables import job_result, unit

from .views import DatasetMeasures


@cache
def select_result() -> Select[Any]:
    return select(job_result.c.event).where(job_result.c.job_id == given("job_id"))


async def load_result(connection: Connection, job_id: str) -> bytes | None:
    found = await fetch_value(connection, select_result(), job_id=job_id)
    return None if found is None else bytes(found)


@cache
def select_measures() -> Select[Any]:
    searched = case((unit.c.search_attempts > 0, unit.c.search_micros))  # a baseline arm calls nobody
    columns = {
        "searched": func.count(searched),
        **{f"search_p{percent}": _percentile(searched, percent) for percent in (50, 95, 99)},
        "answered": func.count(unit.c.prompt_tokens),
        **{f"answer_p{percent}": _percentile(unit.c.answer_micros, percent) for percent in (50, 95)},
        "context_tokens": func.coalesce(func.sum(unit.c.prompt_tokens), 0),
        "context_tokens_mean": cast(func.round(func.avg(unit.c.prompt_tokens)), BigInteger),
        **{f"context_tokens_p{percent}": _percentile(unit.c.prompt_tokens, percent) for percent in (50, 95)},
        "returned_mean": cast(func.round(func.avg(unit.c.returned)), BigInteger),
    }
    return (
        select(unit.c.dataset, *(value.label(name) for name, value in columns.items()))
        .where(unit.c.job_id == given("job_id"), unit.c.dataset.is_not(None))
        .group_by(unit.c.dataset)
        .order_by(unit.c.dataset)
    )


def _percentile(of: ColumnElement[Any], percent: int) -> ColumnElement[Any]:
    return func.percentile_disc(literal_column(f"{percent / 100}")).within_group(of)


async def load_measures(connection: Connection, job_id: str) -> list[DatasetMeasures]:
    return await fetch_all(connection, select_measures(), DatasetMeasures, job_id=job_id)
