"""A job question by question: a page of them with filters, and all that is kept of one."""

from typing import Annotated

from litestar import get
from litestar.params import FromPath, FromQuery, QueryParameter

from aml.gateway.edge.authorise import ANY_ROLE
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.errors import Unknown
from aml.gateway.jobs.job_access import require_visible
from aml.gateway.jobs.job_queries import JobRow
from aml.gateway.names import known
from aml.gateway.parts import Parts

from .question_file import QuestionReader
from .question_queries import QuestionFilter, Sort, load_question, load_question_page, load_samples
from .question_texts import units_that_say, with_texts
from .views import Outcome, QuestionFile, Questions

MOST_SAMPLES = 600
"""Each is a pack to read; the suites with one question a conversation have 500."""

_TEXT = r"^[^\x00]*$"
Exactly = Annotated[str | None, QueryParameter(max_length=200, pattern=_TEXT, required=False)]
Words = Annotated[
    str | None,
    QueryParameter(
        max_length=200,
        pattern=_TEXT,
        required=False,
        description="Found in question texts, names, categories, reasons and details, whatever the case. "
        f"The texts of a job's first {MOST_SAMPLES:,} samples are looked through.",
    ),
]


@get("/jobs/{job_id:str}/questions", summary="Question by question, failures first", guards=[ANY_ROLE])
async def read_questions(
    parts: GivenParts,
    caller: GivenCaller,
    job_id: FromPath[str],
    outcome: FromQuery[Outcome | None] = None,
    dataset: Exactly = None,
    category: Exactly = None,
    reason: Exactly = None,
    q: Words = None,
    sort: FromQuery[Sort] = "failures_first",
    text: FromQuery[bool] = True,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Questions:
    async with parts.database.read() as connection:
        await require_visible(connection, caller, job_id)
        samples = await load_samples(connection, job_id, MOST_SAMPLES) if q else []
    said = await units_that_say(parts.packs, job_id, samples, q) if q else []
    asked = QuestionFilter(
        outcome=outcome, dataset=dataset, category=category, reason=reason, words=q or None, said=said
    )
    async with parts.database.read() as connection:
        total, rows = await load_question_page(connection, job_id, asked, sort, limit, offset)
    shown = await with_texts(parts.packs, job_id, rows) if text else tuple(rows)
    return Questions(total=total, questions=shown)


@get("/jobs/{job_id:str}/questions/{unit:str}", summary="All that is kept of one question", guards=[ANY_ROLE])
async def read_question(
    parts: GivenParts, caller: GivenCaller, job_id: FromPath[str], unit: FromPath[str]
) -> QuestionFile:
    async with parts.database.read() as connection:
        job = await require_visible(connection, caller, job_id)
        row = await load_question(connection, job_id, known("question", unit))
    if row is None:
        raise Unknown("question", unit)
    return await reader(parts).read(job_id, row, show_gold=may_show_gold(parts, job))


def reader(parts: Parts) -> QuestionReader:
    return QuestionReader(bus=parts.bus, evidence=parts.evidence, packs=parts.packs)


def may_show_gold(parts: Parts, job: JobRow) -> bool:
    """The very release that the job ran under must say so; of another one's word nothing follows."""
    return any(
        loaded.digest == job.release_digest and loaded.release.show_gold
        for loaded in parts.releases.all()
        if loaded.release.release_id == job.release_id
    )
