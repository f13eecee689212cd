"""A score's bar with its interval. Decorative: the numbers stand beside it."""

from markupsafe import Markup

from .coordinates import position

_WIDTH = 132
_HEIGHT = 12


def score_bar(score: int, low: int, high: int) -> Markup:
    """From 0 to 100 (millionths), the interval as whiskers."""
    x_low, x_high, x_score = (position(_WIDTH * each / 1_000_000) for each in (low, high, score))
    return Markup(  # noqa: S704  made of numbers only
        f'<svg class="bar" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        'aria-hidden="true" focusable="false">'
        f'<rect class="bar-fill" x="0" y="3" width="{x_score}" height="6" rx="3"/>'
        f'<path class="bar-whisker" d="M{x_low} 6H{x_high}M{x_low} 2.5V9.5M{x_high} 2.5V9.5"/></svg>'
    )
