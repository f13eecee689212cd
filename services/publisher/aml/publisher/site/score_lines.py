"""A result's lines by dataset and category. What is the same in every language is made once for all of them: of a large site
these lines are the most.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import get_args

from markupsafe import Markup, escape

from aml.contracts.seals import JobResult, Tally
from aml.contracts.vocabulary import Capability
from aml.publisher.catalogue import Catalogue
from aml.publisher.charts import score_bar
from aml.publisher.formats import MISSING, count, percent

WHOLE = "whole"
APART = "apart"


@dataclass(frozen=True, kw_only=True)
class ScoreLine:
    kind: str
    """A capability, `WHOLE` for a dataset, or `APART` for a category that does not count."""
    head: Markup
    cells: Markup
    """Score, bar (of a whole dataset), interval, and how many questions were scored of how many."""


Group = tuple[ScoreLine, ...]
"""A dataset's own line, then its categories'."""


def score_groups(result: JobResult) -> tuple[Group, ...]:
    return tuple(
        (
            _line(WHOLE, dataset.name, dataset.overall, _bar(dataset.overall)),
            *(
                _line(each.capability if each.in_overall else APART, each.category, each.tally, Markup())
                for each in dataset.categories
            ),
        )
        for dataset in result.datasets
    )


def kind_names(t: Catalogue) -> dict[str, Markup]:
    """What a line is, in words, by its kind."""
    names = {each: t(f"capability.{each}") for each in get_args(Capability)}
    return {
        kind: escape(name)
        for kind, name in (names | {WHOLE: t("system.whole_dataset"), APART: t("system.apart")}).items()
    }


def table_bodies(groups: Iterable[Group], names: Mapping[str, Markup]) -> Markup:
    """A `tbody` a group."""
    return Markup().join(  # each part of it is markup already
        Markup("<tbody>") + Markup().join(_row(line, names) for line in group) + Markup("</tbody>\n")
        for group in groups
    )


def _row(line: ScoreLine, names: Mapping[str, Markup]) -> Markup:
    style = "total" if line.kind == WHOLE else "part"
    return Markup(  # noqa: S704  its parts are markup
        f'<tr class="{style}">{line.head}<td class="muted">{names[line.kind]}</td>{line.cells}</tr>\n'
    )


def _line(kind: str, name: str, tally: Tally, bar: Markup) -> ScoreLine:
    return ScoreLine(kind=kind, head=Markup(f'<th scope="row">{escape(name)}</th>'), cells=_cells(tally, bar))  # noqa: S704


def _bar(tally: Tally) -> Markup:
    if tally.score is None or tally.interval is None:
        return Markup()
    return score_bar(tally.score, tally.interval.low, tally.interval.high)


def _cells(tally: Tally, bar: Markup) -> Markup:
    interval = MISSING if tally.interval is None else f"{percent(tally.interval.low)}–{percent(tally.interval.high)}"
    return Markup(  # noqa: S704  made of numbers only
        f'<td class="num">{percent(tally.score)}</td><td>{bar}</td><td class="num muted">{interval}</td>'
        f'<td class="num">{count(tally.scored)} / {count(tally.planned)}</td>'
    )
