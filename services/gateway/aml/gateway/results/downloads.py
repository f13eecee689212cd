"""Private results as files. Questions are sent as they are read, so that a large job costs no more memory than a small one."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from aml.gateway.edge.authorise import ANY_ROLE
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import Unavailable
from aml.gateway.jobs.job_access import visible_job
from aml.gateway.jobs.job_queries import JobRow
from aml.gateway.parts import Parts

from .csv_cells import csv_line
from .question_file import without_texts
from .question_queries import load_questions_after
from .read_questions import may_show_gold, reader
from .read_results import NOT_READY, load_results
from .result_table import result_lines
from .views import QuestionRow, Results

BATCH = 500

_COLUMNS = tuple(name for name in QuestionRow.__struct_fields__ if name != "question")


@get(
    "/jobs/{job_id:str}/results.json",
    summary="Scores and gate checks as a file",
    guards=[ANY_ROLE],
    responses=NOT_READY,
)
async def results_json(parts: GivenParts, caller: GivenCaller, job_id: FromPath[str]) -> Response[Results]:
    return Response(await load_results(parts, caller, job_id), headers=_named(job_id, "results.json"))


@get(
    "/jobs/{job_id:str}/results.csv",
    summary="Scores as a table",
    guards=[ANY_ROLE],
    media_type="text/csv",
    responses=NOT_READY,
)
async def results_csv(parts: GivenParts, caller: GivenCaller, job_id: FromPath[str]) -> Response[bytes]:
    results = await load_results(parts, caller, job_id)
    body = b"".join(result_lines(results))
    return Response(body, media_type="text/csv; charset=utf-8", headers=_named(job_id, "results.csv"))


@get(
    "/jobs/{job_id:str}/questions.jsonl",
    summary="Every question, one JSON object a line",
    guards=[ANY_ROLE],
    media_type="application/jsonl",
)
async def questions_jsonl(
    parts: GivenParts, caller: GivenCaller, job_id: FromPath[str], details: FromQuery[bool] = False
) -> Stream:
    """With `details` each line is all that is kept of the question: its text, the memories, the answer and the verdict."""
    job = await visible_job(parts.database, caller, job_id)
    lines = _detailed(parts, job) if details else _plain(parts, job_id)
    return Stream(lines, media_type="application/jsonl", headers=_named(job_id, "questions.jsonl"))


@get(
    "/jobs/{job_id:str}/questions.csv",
    summary="Every question as a table",
    guards=[ANY_ROLE],
    media_type="text/csv",
)
async def questions_csv(parts: GivenParts, caller: GivenCaller, job_id: FromPath[str]) -> Stream:
    await visible_job(parts.database, caller, job_id)
    return Stream(_table(parts, job_id), media_type="text/csv; charset=utf-8", headers=_named(job_id, "questions.csv"))


async def _batches(parts: Parts, job_id: str) -> AsyncIterator[list[QuestionRow]]:
    """No connection is held while the client reads."""
    after = ""
    while True:
        async with parts.database.read() as connection:
            rows = await load_questions_after(connection, job_id, after, BATCH)
        if rows:
            yield rows
        if len(rows) < BATCH:
            return
        after = rows[-1].unit


async def _plain(parts: Parts, job_id: str) -> AsyncIterator[bytes]:
    async for rows in _batches(parts, job_id):
        yield b"".join(msgspec.json.encode(_without_text(row)) + b"\n" for row in rows)


async def _detailed(parts: Parts, job: JobRow) -> AsyncIterator[bytes]:
    show_gold, of_job = may_show_gold(parts, job), reader(parts)
    async for rows in _batches(parts, job.job_id):
        for row in rows:
            try:
                found = await of_job.read(job.job_id, row, show_gold=show_gold)
            except Unavailable:
                found = without_texts(job.job_id, row, "unavailable", show_gold=show_gold)
            yield msgspec.json.encode(found) + b"\n"


async def _table(parts: Parts, job_id: str) -> AsyncIterator[bytes]:
    yield csv_line(_COLUMNS)
    async for rows in _batches(parts, job_id):
        yield b"".join(csv_line([getattr(row, name) for name in _COLUMNS]) for row in rows)


def _without_text(row: QuestionRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _COLUMNS}


def _named(job_id: str, name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{job_id}-{name}"', "Cache-Control": "no-store"}
