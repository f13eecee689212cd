"""A mark for each place in a chart: its shape tells series apart where colours do not."""

from collections.abc import Callable

from aml.publisher.charts.coordinates import position

MARKS = 6
"""Shapes and colours; after so many they begin again."""


def mark(place: int, x: float, y: float) -> str:
    """A path's data."""
    return _SHAPES[place % MARKS](x, y)


def _circle(x: float, y: float) -> str:
    return f"M{position(x - 4)} {position(y)}a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"


def _square(x: float, y: float) -> str:
    return f"M{position(x - 3.7)} {position(y - 3.7)}h7.4v7.4h-7.4z"


def _diamond(x: float, y: float) -> str:
    return f"M{position(x)} {position(y - 5.4)}l5.4 5.4l-5.4 5.4l-5.4-5.4z"


def _triangle(x: float, y: float) -> str:
    return f"M{position(x)} {position(y - 5.2)}l5 8.6h-10z"


def _cross(x: float, y: float) -> str:
    return f"M{position(x - 1.6)} {position(y - 5)}h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z"


def _inverted(x: float, y: float) -> str:
    return f"M{position(x)} {position(y + 5.2)}l5-8.6h-10z"


_SHAPES: tuple[Callable[[float, float], str], ...] = (_circle, _square, _diamond, _triangle, _cross, _inverted)
