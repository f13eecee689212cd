"""The Overall of each repeat of a run on one line: what of a difference is chance. Decorative: the numbers stand beside it."""

from collections.abc import Sequence

from markupsafe import Markup

from aml.publisher.charts.coordinates import position

from .marks import MARKS, mark

_WIDTH, _HEIGHT, _EDGE = 260, 22, 8


def repeat_strip(place: int, values: Sequence[float], reach: tuple[float, float]) -> Markup:
    """`reach` is the axis, which strips of one table share; it may be narrower than 0 to 100."""
    low, high = reach

    def x_of(value: float) -> float:
        return _EDGE + (_WIDTH - 2 * _EDGE) * (value - low) / (high - low)

    left, right = position(x_of(min(values))), position(x_of(max(values)))
    marks = "".join(mark(place, x_of(value), 11) for value in values)
    return Markup(  # noqa: S704  made of numbers
        f'<svg class="strip hue-{place % MARKS}" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'aria-hidden="true" focusable="false"><path class="ring" d="M{_EDGE} 11H{_WIDTH - _EDGE}"/>'
        f'<path class="range" d="M{left} 11H{right}"/><path class="mark" d="{marks}"/></svg>'
    )
