"""Uncertainty of a score, in exact decimal arithmetic so that every machine prints the same millionths.

- `wilson`: Wilson (1927), "Probable inference, the law of succession, and statistical inference", JASA 22:209-212.
- `weighted`: the MOVER method of Zou and Donner (2008), "Construction of confidence limits about effect measures",
  Statistics in Medicine 27:1693-1702, for a weighted sum of independent scores.
"""

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import Final

from aml.contracts.seals import Interval

MILLION: Final = 1_000_000

_Z: Final = Decimal("1.959963984540054")
"""The 97.5 % quantile of the normal distribution: two-sided 95 %."""
_EXACT: Final = Context(prec=40, rounding=ROUND_HALF_EVEN)


def mean_millionths(total: int, count: int) -> int:
    """`total / count`, rounded half up. `total` is in millionths."""
    return (2 * total + count) // (2 * count)


def wilson(total: int, count: int) -> Interval:
    """The 95 % interval of a mean of `count` scores that add up to `total` millionths (correct answers: n·1,000,000).

    For graded scores it takes the mean for the proportion. A variable within 0 and 1 varies at most as much as a yes/no one of
    the same mean (σ² ≤ μ(1-μ)), so the interval is then too wide rather than too narrow. Ends are rounded outwards.
    Raises `ValueError` for a count of 0: no score has no interval.
    """
    if count < 1 or not 0 <= total <= count * MILLION:
        raise ValueError(f"{count} scores cannot add up to {total} millionths")
    with localcontext(_EXACT):
        n = Decimal(count)
        p = Decimal(total) / (n * MILLION)
        z2 = _Z * _Z
        centre = p + z2 / (2 * n)
        half = _Z * (p * (1 - p) / n + z2 / (4 * n * n)).sqrt()
        scale = 1 + z2 / n
        # At the ends the exact limit is 0 or 1; the last digit of a square root must not push it over.
        low = Decimal(0) if total == 0 else (centre - half) / scale
        high = Decimal(1) if total == count * MILLION else (centre + half) / scale
    return _interval(low, high)


def weighted(parts: Sequence[tuple[int, int, Interval]]) -> Interval:
    """The interval of `Σ weight·score / Σ weight` over `(weight, score, interval)`; a single part keeps its own."""
    with localcontext(_EXACT):
        whole = Decimal(sum(weight for weight, _, _ in parts))
        below = above = mean = Decimal(0)
        for weight, score, interval in parts:
            share = weight / whole
            mean += share * score
            below += (share * (score - interval.low)) ** 2
            above += (share * (interval.high - score)) ** 2
        low, high = (mean - below.sqrt()) / MILLION, (mean + above.sqrt()) / MILLION
    return _interval(low, high)


def _interval(low: Decimal, high: Decimal) -> Interval:
    return Interval(
        low=max(0, int((low * MILLION).to_integral_value(ROUND_FLOOR))),
        high=min(MILLION, int((high * MILLION).to_integral_value(ROUND_CEILING))),
    )
