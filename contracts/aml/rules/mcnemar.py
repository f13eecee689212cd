"""Two runs of the same questions, compared pair by pair.

Of two paired yes/no outcomes only the pairs that differ tell which run is better: the exact (binomial) form of McNemar (1947),
Psychometrika 12:153-157.
"""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from aml.contracts.envelope import Count, Millionths
from aml.contracts.vocabulary import Outcome

from .intervals import MILLION, mean_millionths


class PairedRuns(Struct, frozen=True, kw_only=True):
    """Questions that both runs answered right or wrong; `pairs` is the sum of the four."""

    pairs: Count
    both_right: Count
    only_first: Count
    only_second: Count
    both_wrong: Count
    p_value: Millionths


def paired_runs(cells: Mapping[tuple[Outcome, Outcome], int]) -> PairedRuns:
    """`cells[first, second]`: how many questions ended so. A graded outcome is neither yes nor no, and its pair is left out."""
    both_right = cells.get(("correct", "correct"), 0)
    only_first = cells.get(("correct", "incorrect"), 0)
    only_second = cells.get(("incorrect", "correct"), 0)
    both_wrong = cells.get(("incorrect", "incorrect"), 0)
    return PairedRuns(
        pairs=both_right + only_first + only_second + both_wrong,
        both_right=both_right,
        only_first=only_first,
        only_second=only_second,
        both_wrong=both_wrong,
        p_value=mcnemar(only_first, only_second),
    )


def mcnemar(only_first: int, only_second: int) -> int:
    """Two-sided exact p value, in millionths, for paired yes/no outcomes of two systems on the same questions.

    `only_first` questions were right only with the first system, `only_second` only with the second. 1,000,000 without any.
    """
    discordant = only_first + only_second
    tail, term = 0, 1
    for k in range(min(only_first, only_second) + 1):
        tail += term
        term = term * (discordant - k) // (k + 1)  # the next binomial coefficient
    p = min(Fraction(1), Fraction(2 * tail, 2**discordant))
    return mean_millionths(p.numerator * MILLION, p.denominator)
