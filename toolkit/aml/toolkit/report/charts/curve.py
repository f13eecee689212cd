"""How the score falls with the distance between the fact and the question. The table beside it holds the same numbers."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup, escape
from msgspec import Struct

from aml.publisher.charts.coordinates import position
from aml.toolkit.metrics.reach_back import RECALLED
from aml.toolkit.results.category import ReachBack

from .marks import MARKS, mark

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 24, 18, 50
_FOOT: Final = _HEIGHT - _BOTTOM


class Line(Struct, frozen=True, kw_only=True):
    place: int
    found: ReachBack


def depths_of(lines: Sequence[Line]) -> tuple[int, ...]:
    return tuple(sorted({each.depth for line in lines for each in line.found.curve}))


def reach_back_curve(lines: Sequence[Line], *, title: str, x_title: str) -> Markup | None:
    """Depths stand at equal distances, since they about double; a line marks `RECALLED`. None for fewer than two."""
    depths = depths_of(lines)
    if len(depths) < 2:
        return None
    step = (_WIDTH - _LEFT - _RIGHT - 40) / (len(depths) - 1)
    x_of = {depth: _LEFT + 20 + place * step for place, depth in enumerate(depths)}
    parts = [f'<svg class="curve" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">']
    for tick in range(0, 101, 20):
        y = position(_y_of(tick))
        parts.append(
            f'<path class="{"limit" if tick == RECALLED else "ring"}" d="M{_LEFT} {y}H{_WIDTH - _RIGHT}"/>'
            f'<text class="tick" x="{_LEFT - 8}" y="{y}" dy="0.35em" text-anchor="end">{tick}</text>'
        )
    parts += [
        f'<text class="tick" x="{position(x)}" y="{_FOOT + 18}" text-anchor="middle">{depth}</text>'
        for depth, x in x_of.items()
    ]
    parts.append(
        f'<text class="tick" x="{(_LEFT + _WIDTH - _RIGHT) // 2}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(x_title)}</text>'
    )
    for line in lines:
        points = [(x_of[each.depth], _y_of(each.score)) for each in line.found.curve]
        path = "L".join(f"{position(x)} {position(y)}" for x, y in points)
        marks = "".join(mark(line.place, x, y) for x, y in points)
        parts.append(
            f'<g class="run hue-{line.place % MARKS}">'
            f'<path class="outline" d="M{path}"/><path class="mark" d="{marks}"/></g>'
        )
    return Markup("".join([*parts, "</svg>"]))  # noqa: S704  every text in it went through `escape`


def _y_of(score: float) -> float:
    return _TOP + (_FOOT - _TOP) * (100 - score) / 100
