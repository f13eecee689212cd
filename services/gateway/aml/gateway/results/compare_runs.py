"""A run against an earlier one of one's own: what got worse, and whether the difference can be chance."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, cast

import msgspec
from litestar import get
from litestar.params import FromPath, QueryParameter

from aml.contracts.jobs import DatasetPin
from aml.contracts.vocabulary import Outcome
from aml.gateway.edge.authorise import ANY_ROLE
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.errors import FieldsInvalid
from aml.gateway.jobs.job_access import require_visible
from aml.rules.mcnemar import paired_runs

from .comparison_queries import Cell, load_cells, load_pins, load_regressions
from .question_texts import with_texts
from .views import Comparison, McNemarView

With = Annotated[str, QueryParameter(name="with", max_length=200, description="The earlier job's id.")]


@get("/jobs/{job_id:str}/comparison", summary="What got worse since an earlier run", guards=[ANY_ROLE])
async def compare_runs(
    parts: GivenParts,
    caller: GivenCaller,
    job_id: FromPath[str],
    with_job: With,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Comparison:
    if with_job == job_id:
        raise FieldsInvalid({"with": "is this very job; name another one"})
    async with parts.database.read() as connection:
        now = await require_visible(connection, caller, job_id)
        before = await require_visible(connection, caller, with_job)
        pins = await load_pins(connection, job_id, with_job)
        datasets = shared_datasets(pins[job_id], pins[with_job])
        cells = await load_cells(connection, job_id, with_job, datasets)
        regressed = await load_regressions(connection, job_id, with_job, datasets, limit, offset)
    return msgspec.structs.replace(
        comparison_of(cells),
        job_id=job_id,
        with_job_id=with_job,
        datasets=tuple(datasets),
        same_release=now.release_digest == before.release_digest,
        regressed=await with_texts(parts.packs, job_id, regressed),
    )


def shared_datasets(pins: bytes, others: bytes) -> list[str]:
    """The names under which both ran the same bytes."""
    ours, theirs = (
        {(pin.name, pin.sha256) for pin in msgspec.json.decode(each, type=tuple[DatasetPin, ...])}
        for each in (pins, others)
    )
    return sorted(name for name, _ in ours & theirs)


def comparison_of(cells: Sequence[Cell]) -> Comparison:
    """The counts; whose they are is not known here."""
    scored = [cell for cell in cells if _scored(cell.before_outcome) and _scored(cell.outcome)]
    yes_no: Counter[tuple[Outcome, Outcome]] = Counter()
    for cell in scored:
        yes_no[cast("Outcome", cell.before_outcome), cast("Outcome", cell.outcome)] += cell.questions
    pairs = paired_runs(yes_no)
    return Comparison(
        job_id="",
        with_job_id="",
        datasets=(),
        same_release=False,
        common=sum(cell.questions for cell in cells),
        scored_in_both=sum(cell.questions for cell in scored),
        regressions=sum(cell.questions for cell in scored if cell.change == -1),
        improvements=sum(cell.questions for cell in scored if cell.change == 1),
        unscored_now=sum(c.questions for c in cells if _scored(c.before_outcome) and not _scored(c.outcome)),
        unscored_before=sum(c.questions for c in cells if _scored(c.outcome) and not _scored(c.before_outcome)),
        mcnemar=McNemarView(
            pairs=pairs.pairs,
            both_right=pairs.both_right,
            only_before=pairs.only_first,
            only_now=pairs.only_second,
            both_wrong=pairs.both_wrong,
            p_value=pairs.p_value,
        ),
        regressed=(),
    )


def _scored(outcome: str | None) -> bool:
    return outcome is not None and outcome != "unscored"
