"""A result by capability as a radar. The table beside it holds the same numbers, with their denominators."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from markupsafe import Markup, escape

from .coordinates import position

_WIDTH, _HEIGHT = 500, 340
_X, _Y, _RADIUS = _WIDTH / 2, _HEIGHT / 2, 118
_RINGS = (25, 50, 75, 100)


@dataclass(frozen=True, kw_only=True)
class Spoke:
    """One capability; all in millionths."""

    label: str
    score: int
    low: int
    high: int


def capability_radar(spokes: Sequence[Spoke], *, title: str) -> Markup | None:
    """None for fewer than three capabilities: two make a line, which a table says better."""
    if len(spokes) < 3:
        return None
    count = len(spokes)
    parts = [f'<svg class="radar" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">']
    parts += [_polygon("ring", [ring * 10_000] * count) for ring in _RINGS]
    parts += [
        f'<path class="grid" d="M{position(_X)} {position(_Y)}L{_point(place, count, 1_000_000)}"/>'
        for place in range(count)
    ]
    # The band between the intervals' ends: its outline there, and back along the lower one.
    band = f"{_outline([each.high for each in spokes])}{_outline([each.low for each in spokes])}"
    parts.append(f'<path class="radar-band" fill-rule="evenodd" d="{band}"/>')
    parts.append(_polygon("radar-score", [each.score for each in spokes]))
    parts += [
        f'<circle class="radar-point" cx="{x}" cy="{y}" r="3.2"/>'
        for place, each in enumerate(spokes)
        for x, y in [_point(place, count, each.score).split(" ")]
    ]
    parts += [f'<text class="tick" x="{position(_X + 4)}" y="{_ring_label(ring)}">{ring}</text>' for ring in _RINGS]
    parts += [_label(place, count, each.label) for place, each in enumerate(spokes)]
    parts.append("</svg>")
    return Markup("".join(parts))  # noqa: S704  every text in it went through `escape`


def _point(place: int, count: int, millionths: int) -> str:
    x, y = _at(place, count, _RADIUS * millionths / 1_000_000)
    return f"{position(x)} {position(y)}"


def _at(place: int, count: int, distance: float) -> tuple[float, float]:
    """The first spoke points up, the others follow clockwise."""
    angle = 2 * pi * place / count - pi / 2
    return _X + distance * cos(angle), _Y + distance * sin(angle)


def _outline(values: Sequence[int]) -> str:
    return "M" + "L".join(_point(place, len(values), value) for place, value in enumerate(values)) + "Z"


def _polygon(kind: str, values: Sequence[int]) -> str:
    return f'<path class="{kind}" d="{_outline(values)}"/>'


def _ring_label(ring: int) -> str:
    return position(_Y - _RADIUS * ring / 100 - 3)


def _label(place: int, count: int, text: str) -> str:
    x, y = _at(place, count, _RADIUS + 24)
    sideways = (x - _X) / _RADIUS
    anchor = "middle" if abs(sideways) < 0.2 else "start" if sideways > 0 else "end"
    return f'<text class="spoke" x="{position(x)}" y="{position(y + 4)}" text-anchor="{anchor}">{escape(text)}</text>'
