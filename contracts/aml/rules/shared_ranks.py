"""Ranks that do not claim more than the measurement does: rows that cannot be told from their group's leader share its rank.

The rows are taken from the best score down. The first one leads a group. Following rows join the group as long as their
interval reaches up to the lower end of the leader's; the first one that stays below it leads the next group, whose rank is
one more than the number of rows before it (1, 1, 1, 4). Rows of equal score are never parted: they join, or lead, together,
and then the widest of their intervals counts. So neither the order of equal rows nor who published first can change a rank.

A rank here is never worse than the strict one that counts equal scores only.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise

from msgspec import Struct


class Standing(Struct, frozen=True, kw_only=True):
    """A score and the ends of its interval, in millionths."""

    score: int
    low: int
    high: int


def shared_ranks(standings: Sequence[Standing]) -> list[int]:
    """For standings in descending order of their scores, as a board lists them. `ValueError` for another order."""
    if any(after.score > before.score for before, after in pairwise(standings)):
        raise ValueError("standings must be in descending order of their scores")
    found: list[int] = []
    reach: int | None = None
    rank = 0
    for _, block in groupby(standings, key=lambda one: one.score):
        members = list(block)
        if reach is None or max(one.high for one in members) < reach:
            reach = min(one.low for one in members)
            rank = len(found) + 1
        found += [rank] * len(members)
    return found
