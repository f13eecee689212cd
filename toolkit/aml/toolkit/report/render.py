"""From results and baselines to the bytes of the report. Pure: no clock is asked, the same input gives the same file."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from aml.contracts.vocabulary import Language
from aml.toolkit.baselines.baseline import Baseline
from aml.toolkit.results.suite_result import SuiteResult

from . import number_format
from .catalogue import Catalogue, catalogue
from .charts import Line, depths_of, difference_bar, reach_back_curve, repeat_strip, score_bar
from .charts.marks import MARKS, mark
from .differences import against_the_first, differences
from .failures import categories_of, failed_questions
from .overlays import overlays_of
from .page_parts import page_parts
from .reference_rows import ReferenceRow
from .safe_text import one_line
from .series import Series, series_of
from .verification import verify_commands

_TEMPLATES = Path(__file__).parent / "templates"


def render_report(
    results: Sequence[SuiteResult],
    baselines: Sequence[Baseline] = (),
    *,
    references: Sequence[ReferenceRow] = (),
    language: Language = "en",
) -> bytes:
    """One HTML file that asks for no other one. Raises `ValueError` without a result."""
    if not results:
        raise ValueError("a report needs at least one result")
    t = catalogue(language)
    series = series_of(results, baselines)
    found = differences(results, baselines, series)
    questions = failed_questions(results, series, found)
    lines = _curve_lines(results)
    anchored = [(f"q{number}", each) for number, each in enumerate(questions, start=1)]
    page = _environment().get_template("report.html")
    text = page.render(
        t=t,
        parts=page_parts(len(series)),
        results=results,
        runs=series[: len(results)],
        series=series,
        overlays=overlays_of(series, t),
        categories=categories_of(results),
        differences=found,
        between=against_the_first(results, series),
        curve=_curve(lines, series, t),
        curve_lines=lines,
        curve_depths=depths_of(lines),
        reach=_strip_reach(results),
        questions=questions,
        groups=[(name, list(each)) for name, each in groupby(anchored, key=lambda pair: pair[1].category)],
        question_ids={each.question_id: anchor for anchor, each in reversed(anchored)},
        references=references,
        verify_commands=verify_commands,
    )
    return text.encode(errors="replace")


def _curve(lines: Sequence[Line], series: Sequence[Series], t: Catalogue) -> Markup | None:
    title = t("reach_back.title", names=", ".join(series[line.place].name for line in lines))
    return reach_back_curve(lines, title=title, x_title=t("reach_back.depth"))


def _curve_lines(results: Sequence[SuiteResult]) -> tuple[Line, ...]:
    return tuple(
        Line(place=place, found=category.reach_back)
        for place, result in enumerate(results)
        for category in result.categories
        if category.reach_back is not None
    )


def _strip_reach(results: Sequence[SuiteResult]) -> tuple[float, float]:
    """The axis of the repeats, in whole tens around all of them."""
    values = [value for result in results if result.spread for value in result.spread.overall if value is not None]
    if not values:
        return 0.0, 100.0
    low, high = min(values) // 10 * 10, min(100.0, max(values) // 10 * 10 + 10)
    return (low, high) if high > low else (low - 10, high)


def _swatch(place: int, kind: str) -> Markup:
    """A series' line and mark, as the charts draw it."""
    return Markup(  # noqa: S704  made of numbers and of a word of ours
        f'<svg class="swatch {kind} hue-{place % MARKS}" viewBox="0 0 26 14" width="26" height="14" aria-hidden="true" '
        f'focusable="false"><path class="outline" d="M1 7H25"/><path class="mark" d="{mark(place, 13, 7)}"/></svg>'
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., Any]] = {
        "score": number_format.score,
        "points": number_format.points,
        "count": number_format.count,
        "duration": number_format.duration,
        "money": number_format.money,
        "p_value": number_format.p_value,
        "minute": number_format.minute,
        "line": one_line,
    }
    environment.filters.update(filters)
    environment.globals.update(
        zip=zip,
        interval=number_format.interval,
        missing=number_format.MISSING,
        score_bar=score_bar,
        difference_bar=difference_bar,
        repeat_strip=repeat_strip,
        swatch=_swatch,
    )
    return environment
