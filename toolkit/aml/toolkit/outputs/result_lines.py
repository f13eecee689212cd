"""A result in plain lines, as a terminal and a build's log show it. One space apart from anything a program should parse."""

from collections.abc import Iterator

from aml.toolkit.baselines import Comparison, Incomparable
from aml.toolkit.results import SuiteResult
from aml.toolkit.results.category import CategoryScore
from aml.toolkit.shown_text import one_line

from .kept_baselines import Held

WORST_SHOWN = 5


def result_lines(held: Held) -> list[str]:
    result = held.result
    lines = [headline(result)]
    width = max((len(each.category) for each in result.categories), default=0)
    changes = {}
    if isinstance(held.comparison, Comparison):
        changes = {each.category: each.points for each in held.comparison.categories}
    lines += [f"  {_category(each, width, changes.get(each.category))}" for each in result.categories]
    if result.spread is not None and result.spread.points is not None:
        runs = len(result.spread.overall)
        lines.append(f"  over {runs} repeats Overall lay between {result.spread.low:.1f} and {result.spread.high:.1f}")
    lines += [f"  {line}" for line in comparison_lines(held)]
    return lines


def headline(result: SuiteResult) -> str:
    scored = result.planned - result.unscored
    state = "" if result.complete else ", INCOMPLETE"
    return (
        f"{one_line(result.agent)}, {result.suite} ({result.provenance.language}): {result.overall:.1f} {result.grade}"
        f"{_interval(result.low, result.high)}, {scored} of {result.planned} questions scored{state},"
        f" {result.seconds:.1f} s"
    )


def comparison_lines(held: Held) -> Iterator[str]:
    match held.comparison:
        case Comparison() as found:
            yield f"since the baseline {one_line(found.label)}: {found.overall_points:+.1f} points"
            for name in found.worse[:WORST_SHOWN]:
                yield f"  worse: {name}"
            if len(found.worse) > WORST_SHOWN:
                yield f"  and {len(found.worse) - WORST_SHOWN} more"
        case Incomparable() as other:
            yield f"not comparable with the baseline {one_line(other.label)}: {'; '.join(other.differences)}"
        case None if held.wanted:
            yield "no baseline of this configuration yet"
        case None:
            pass


def _category(category: CategoryScore, width: int, change: float | None) -> str:
    name = category.category.ljust(width)
    if category.score is None:
        return f"{name}  not scored, {category.unscored} unscored"
    mark = "passed" if category.passed else f"below {category.passing:g}"
    parts = [f"{category.score:5.1f}{_interval(category.low, category.high)}", f"n = {category.scored}", mark]
    if category.unscored:
        parts.append(f"{category.unscored} unscored")
    if change is not None:
        parts.append(f"{change:+.1f}")
    return f"{name}  {', '.join(parts)}"


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" ({low:.1f} to {high:.1f})"
