"""Axes of several runs and baselines over each other. The table beside it holds the same numbers."""

from collections.abc import Mapping, Sequence
from math import cos, pi, sin

from markupsafe import Markup, escape

from aml.publisher.charts.coordinates import position
from aml.toolkit.report.series import Series

from .marks import MARKS, mark

_WIDTH, _HEIGHT = 520, 362
_X, _Y, _RADIUS = _WIDTH / 2, 178.0, 144
_RINGS = (25, 50, 75, 100)


def pentagon(axes: Sequence[str], series: Sequence[Series], *, title: str, labels: Mapping[str, str]) -> Markup | None:
    """`axes` in their order. None for fewer than three: two make a line, which a table says better."""
    if len(axes) < 3:
        return None
    around = _Around(len(axes))
    parts = [f'<svg class="pentagon" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">']
    parts += [f'<path class="ring" d="{around.ring(ring)}"/>' for ring in _RINGS]
    parts.append(f'<path class="ring" d="{"".join(around.spoke(place) for place in range(len(axes)))}"/>')
    parts += [_drawn(axes, each, around) for each in series]
    parts += [
        f'<text class="tick" x="{position(_X + 4)}" y="{position(_Y - _RADIUS * ring / 100 + 13)}">{ring}</text>'
        for ring in _RINGS
    ]
    parts += [around.label(place, labels[axis]) for place, axis in enumerate(axes)]
    return Markup("".join([*parts, "</svg>"]))  # noqa: S704  every text in it went through `escape`


def _drawn(axes: Sequence[str], series: Series, around: "_Around") -> str:
    """Where an axis is missing the outline is open: a line across it would claim a score."""
    scores = {axis.name: axis.score for axis in series.axes}
    known = [scores.get(axis) for axis in axes]
    points = [None if score is None else around.at(place, score) for place, score in enumerate(known)]
    marks = "".join(mark(series.place, *point) for point in points if point is not None)
    shade = f'<path class="area" d="{_closed(points)}"/>' if series.kind == "run" and None not in points else ""
    return (
        f'<g class="line-{series.place} hue-{series.place % MARKS} {series.kind}">{shade}'
        f'<path class="outline" d="{_outline(points)}"/><path class="mark" d="{marks}"/></g>'
    )


_Point = tuple[float, float] | None


def _outline(points: Sequence[_Point]) -> str:
    if None not in points:
        return _closed(points)
    pairs = zip(points, (*points[1:], points[0]), strict=True)
    return "".join(f"M{_written(one)}L{_written(two)}" for one, two in pairs if one is not None and two is not None)


def _closed(points: Sequence[_Point]) -> str:
    return "M" + "L".join(_written(point) for point in points if point is not None) + "Z"


def _written(point: tuple[float, float]) -> str:
    return f"{position(point[0])} {position(point[1])}"


class _Around:
    """Positions; the first axis points up, the others follow clockwise."""

    def __init__(self, count: int) -> None:
        self._count = count

    def at(self, place: int, score: float, beyond: float = 0.0) -> tuple[float, float]:
        angle = 2 * pi * place / self._count - pi / 2
        distance = _RADIUS * score / 100 + beyond
        return _X + distance * cos(angle), _Y + distance * sin(angle)

    def ring(self, score: int) -> str:
        return _closed([self.at(place, score) for place in range(self._count)])

    def spoke(self, place: int) -> str:
        return f"M{position(_X)} {position(_Y)}L{_written(self.at(place, 100))}"

    def label(self, place: int, text: str) -> str:
        x, y = self.at(place, 100, beyond=20)
        sideways = (x - _X) / _RADIUS
        anchor = "middle" if abs(sideways) < 0.2 else "start" if sideways > 0 else "end"
        return (
            f'<text class="spoke" x="{position(x)}" y="{position(y + 4)}" text-anchor="{anchor}">{escape(text)}</text>'
        )
