"""Scores against what they cost: a scatter over a logarithmic axis, with intervals and the baselines' scores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10

from markupsafe import Markup, escape

from .coordinates import position

_WIDTH, _HEIGHT = 880, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 28, 34, 52
_PLOT_WIDTH = _WIDTH - _LEFT - _RIGHT
_PLOT_HEIGHT = _HEIGHT - _TOP - _BOTTOM
_LABEL_CHARACTER = 7.0
_LABEL_HEIGHT = 15.0
_LABEL_LIMIT = 22
_LABELS = 24
"""Of a large field only the best carry their names: the others could not be read, and finding room for them is slow."""
_NEAR = 150_000
"""A baseline further than 15 points from every system would only press the systems together."""

Scale = Callable[[int], float]
"""Millionths to a position."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """One system: its score (millionths) against a positive cost, such as µs or tokens."""

    label: str
    kind: str
    """`open_source` draws a circle, `commercial` a diamond: shape carries it, colour only repeats it."""
    score: int
    low: int
    high: int
    cost: int


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A horizontal line at a baseline's score."""

    label: str
    score: int


@dataclass(frozen=True, kw_only=True)
class Axis:
    """The cost's axis: its name, and how a whole step of it is written."""

    title: str
    tick: Callable[[int], str]


@dataclass(frozen=True)
class _Box:
    left: float
    top: float
    width: float
    height: float

    def meets(self, other: "_Box") -> bool:
        apart = self.left + self.width < other.left or other.left + other.width < self.left
        return not (apart or self.top + self.height < other.top or other.top + other.height < self.top)


def score_scatter(
    marks: Sequence[Mark], references: Sequence[Reference], *, title: str, axis: Axis, y_title: str
) -> Markup | None:
    """None for fewer than two systems, which a table says better."""
    if len(marks) < 2:
        return None
    scale = _CostScale([mark.cost for mark in marks])
    ends = [*(mark.low for mark in marks), *(mark.high for mark in marks)]
    references = [each for each in references if min(ends) - _NEAR <= each.score <= max(ends) + _NEAR]
    low, high = _score_range([*ends, *(each.score for each in references)])

    def y_of(score: int) -> float:
        return _TOP + _PLOT_HEIGHT * (high * 10_000 - score) / ((high - low) * 10_000)

    parts = [
        f'<svg class="scatter" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">',
        *_score_axis(low, high, y_of),
        *_cost_axis(scale, axis.tick),
        _axis_title(axis.title, x=_LEFT + _PLOT_WIDTH // 2, y=_HEIGHT - 8, anchor="middle"),
        _axis_title(y_title, x=0, y=_TOP - 18, anchor="start"),
    ]
    taken = [_Box(scale.x_of(mark.cost) - 6, y_of(mark.score) - 6, 12, 12) for mark in marks]
    for reference in references:
        y = y_of(reference.score)
        label = _shortened(reference.label)
        width = len(label) * _LABEL_CHARACTER
        taken.append(_Box(_LEFT + _PLOT_WIDTH - width, y - _LABEL_HEIGHT, width, _LABEL_HEIGHT))
        taken.append(_Box(_LEFT, y - 1, _PLOT_WIDTH, 2))
        parts.append(
            f'<path class="reference" d="M{_LEFT} {position(y)}H{_LEFT + _PLOT_WIDTH}"/>'
            f'<text class="reference-label" x="{_LEFT + _PLOT_WIDTH}" y="{position(y - 5)}" text-anchor="end">'
            f"{escape(label)}</text>"
        )
    parts += _whiskers(marks, scale, y_of)
    parts += [_point(mark, scale.x_of(mark.cost), y_of(mark.score)) for mark in marks]
    by_score = sorted(marks, key=lambda one: (-one.score, one.cost, one.label))
    parts += [_label(mark, scale.x_of(mark.cost), y_of(mark.score), taken) for mark in by_score[:_LABELS]]
    parts.append("</svg>")
    return Markup("".join(parts))  # noqa: S704  every text in it went through `escape`


def _axis_title(text: str, *, x: int, y: int, anchor: str) -> str:
    return f'<text class="axis-title" x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


class _CostScale:
    """log10 of the cost over whole 1-2-5 steps around the data."""

    def __init__(self, costs: Sequence[int]) -> None:
        self._steps = _one_two_five(max(1, min(costs)), max(1, *costs))
        self._low, self._high = log10(self._steps[0]), log10(self._steps[-1])

    @property
    def steps(self) -> list[int]:
        return self._steps

    def x_of(self, cost: int) -> float:
        return _LEFT + _PLOT_WIDTH * (log10(max(1, cost)) - self._low) / (self._high - self._low)


def _one_two_five(low: int, high: int) -> list[int]:
    steps = [factor * 10**power for power in range(11) for factor in (1, 2, 5)]
    first = max(index for index, step in enumerate(steps) if step <= low)
    last = next((index for index, step in enumerate(steps) if step > high), len(steps) - 1)
    return steps[first : max(last, first + 1) + 1]


def _score_range(scores: Sequence[int]) -> tuple[int, int]:
    """In whole tens of points; the axis need not start at 0, since positions, not lengths, are compared."""
    low = floor(min(scores) / 100_000) * 10
    high = -floor(-max(scores) / 100_000) * 10
    return (low, high) if high > low else (max(0, low - 10), low + 10)


def _score_axis(low: int, high: int, y_of: Scale) -> list[str]:
    step = 10 if high - low <= 60 else 20
    parts = []
    for tick in range(low, high + 1, step):
        y = position(y_of(tick * 10_000))
        parts.append(
            f'<path class="grid" d="M{_LEFT} {y}H{_LEFT + _PLOT_WIDTH}"/>'
            f'<text class="tick" x="{_LEFT - 10}" y="{y}" dy="0.35em" text-anchor="end">{tick}</text>'
        )
    return parts


def _cost_axis(scale: _CostScale, written: Callable[[int], str]) -> list[str]:
    foot = _TOP + _PLOT_HEIGHT
    every = 3 if len(scale.steps) > 10 else 1
    parts = []
    for step in scale.steps[::every]:
        x = position(scale.x_of(step))
        parts.append(
            f'<path class="grid" d="M{x} {_TOP}V{foot}"/>'
            f'<text class="tick" x="{x}" y="{foot + 18}" text-anchor="middle">{written(step)}</text>'
        )
    return parts


def _whiskers(marks: Sequence[Mark], scale: _CostScale, y_of: Scale) -> list[str]:
    """One path a kind: a large field has hundreds of them."""
    drawn: dict[str, list[str]] = {}
    for mark in marks:
        x = position(scale.x_of(mark.cost))
        drawn.setdefault(mark.kind, []).append(f"M{x} {position(y_of(mark.low))}V{position(y_of(mark.high))}")
    return [f'<path class="whisker {kind}" d="{"".join(lines)}"/>' for kind, lines in drawn.items()]


def _point(mark: Mark, x: float, y: float) -> str:
    name = f"<title>{escape(mark.label)}</title>"
    if mark.kind == "commercial":
        diamond = f"M{position(x)} {position(y - 6.5)}l6.5 6.5l-6.5 6.5l-6.5 -6.5z"
        return f'<path class="point {mark.kind}" d="{diamond}">{name}</path>'
    return f'<circle class="point {mark.kind}" cx="{position(x)}" cy="{position(y)}" r="5.5">{name}</circle>'


def _label(mark: Mark, x: float, y: float, taken: list[_Box]) -> str:
    """Beside, else above or below the point; left out where every place is taken (the table has them all)."""
    text = _shortened(mark.label)
    width = len(text) * _LABEL_CHARACTER
    for left, top in ((x + 11, y - 8), (x - 11 - width, y - 8), (x + 5, y - 24), (x + 5, y + 9)):
        box = _Box(left, top, width, _LABEL_HEIGHT)
        inside = left >= _LEFT and left + width <= _LEFT + _PLOT_WIDTH and top >= _TOP - 6
        if inside and not any(box.meets(other) for other in taken):
            taken.append(box)
            return f'<text class="point-label" x="{position(left)}" y="{position(top + 12)}">{escape(text)}</text>'
    return ""


def _shortened(text: str) -> str:
    return text if len(text) <= _LABEL_LIMIT else f"{text[: _LABEL_LIMIT - 1]}…"
