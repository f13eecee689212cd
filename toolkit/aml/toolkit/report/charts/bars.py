"""Bars in tables. Decorative: the numbers stand beside them."""

from markupsafe import Markup

from aml.publisher.charts.coordinates import position

_WIDTH, _HEIGHT = 120, 12


def score_bar(score: float, low: float | None, high: float | None, passing: float | None = None) -> Markup:
    """From 0 to 100; the interval as whiskers, the passing score as a notch."""
    parts = [f'<rect class="bar-fill" y="3" width="{position(_WIDTH * score / 100)}" height="6" rx="3"/>']
    if low is not None and high is not None:
        left, right = position(_WIDTH * low / 100), position(_WIDTH * high / 100)
        parts.append(f'<path class="bar-whisker" d="M{left} 6H{right}M{left} 2.5V9.5M{right} 2.5V9.5"/>')
    if passing is not None:
        parts.append(f'<path class="bar-pass" d="M{position(_WIDTH * passing / 100)} 0V12"/>')
    return _bar("bar", parts)


def difference_bar(points: float, reach: float) -> Markup:
    """To the right for better, to the left for worse; `reach` is the half-width's points."""
    middle = _WIDTH / 2
    length = min(middle, middle * abs(points) / reach)
    side, x = ("up", middle) if points >= 0 else ("down", middle - length)
    fill = f'<rect class="bar-{side}" x="{position(x)}" y="3" width="{position(length)}" height="6" rx="2"/>'
    return _bar("bar differ", [fill, f'<path class="bar-whisker" d="M{position(middle)} 0V12"/>'])


def _bar(kind: str, parts: list[str]) -> Markup:
    return Markup(  # noqa: S704  made of numbers and of our own words
        f'<svg class="{kind}" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'aria-hidden="true" focusable="false">{"".join(parts)}</svg>'
    )
