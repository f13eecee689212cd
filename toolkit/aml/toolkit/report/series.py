"""What the charts overlay: runs, then baselines, each with a name of its own and a place that gives it colour and mark."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from aml.toolkit.baselines.baseline import Baseline
from aml.toolkit.results.category import Axis
from aml.toolkit.results.suite_result import SuiteResult

from .safe_text import one_line

_NAME = 60


class Series(Struct, frozen=True, kw_only=True):
    place: int
    kind: Literal["run", "baseline"]
    name: str
    """Unique in the report, one line, not escaped."""
    overall: float
    complete: bool
    axes: tuple[Axis, ...]


def series_of(results: Sequence[SuiteResult], baselines: Sequence[Baseline]) -> tuple[Series, ...]:
    names = _unique([*map(_run_name, results), *(each.label for each in baselines)])
    shown: list[SuiteResult | Baseline] = [*results, *baselines]
    return tuple(
        Series(
            place=place,
            kind="run" if place < len(results) else "baseline",
            name=name,
            overall=each.overall,
            complete=each.complete,
            axes=each.axes,
        )
        for place, (each, name) in enumerate(zip(shown, names, strict=True))
    )


def _run_name(result: SuiteResult) -> str:
    return result.agent if result.model is None else f"{result.agent} · {result.model}"


def _unique(names: Iterable[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        shown = one_line(name, _NAME) or "?"
        number = 2
        candidate = shown
        while candidate in found:
            candidate = f"{shown} ({number})"
            number += 1
        found.append(candidate)
    return found
