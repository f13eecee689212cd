"""Which questions a run asks. The order is by hash and not by a generator, so that it is the same on every Python and machine.

Stratified: each type gets its share of the sample, rounded, and at least one; what is too much is taken from the largest, what
is missing is drawn from everything that is left. Abstention is told by the end of an id and lies across the types.
"""

import hashlib
from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct

from .options import AbstentionPolicy, LongMemEvalOptions


class Entry(Struct, frozen=True, order=True):
    """A question as the sampling sees it."""

    question_id: str
    question_type: str
    abstention: bool


class Selection(Struct, frozen=True, kw_only=True):
    questions: tuple[Entry, ...]
    """In the drawn order."""
    available: int
    """Questions that the types and the abstention policy leave."""
    requested: int
    """How many were wanted: `max_questions`, or all that are available."""
    requested_abstention: int | None
    """Of them, where a share was asked for."""

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(entry.question_id for entry in self.questions)

    @property
    def shortfall(self) -> int:
        """Left out rather than filled up with questions of another kind, which would change what the run measures."""
        return self.requested - len(self.questions)


def select(entries: Iterable[Entry], options: LongMemEvalOptions) -> Selection:
    """Does not depend on the order of `entries`."""
    types = options.include_question_types
    pool = sorted(entry for entry in entries if types is None or entry.question_type in types)
    pool = [entry for entry in pool if _admits(options.abstention_policy, entry)]
    requested = len(pool) if options.max_questions is None else options.max_questions
    wanted: int | None = None
    if options.abstention_target_proportion is None:
        chosen = _draw(pool, requested, options)
    else:
        wanted = _rounded(Fraction(str(options.abstention_target_proportion)) * requested)
        chosen = _draw([entry for entry in pool if entry.abstention], wanted, options)
        chosen += _draw([entry for entry in pool if not entry.abstention], requested - wanted, options)
    return Selection(
        questions=tuple(_ordered(chosen, options.random_seed, "order")),
        available=len(pool),
        requested=requested,
        requested_abstention=wanted,
    )


def _admits(policy: AbstentionPolicy, entry: Entry) -> bool:
    return policy in ("as_sampled", "target_proportion") or entry.abstention == (policy == "only")


def _draw(pool: Sequence[Entry], count: int, options: LongMemEvalOptions) -> list[Entry]:
    if count >= len(pool):
        return list(pool)
    order = _ordered(pool, options.random_seed, "draw")
    if not options.stratified_sampling:
        return order[:count]
    shares = allot(_sizes(pool), count)
    chosen: list[Entry] = []
    left: list[Entry] = []
    for entry in order:
        if shares[entry.question_type] > 0:
            shares[entry.question_type] -= 1
            chosen.append(entry)
        else:
            left.append(entry)
    return chosen + left[: count - len(chosen)]


def allot(sizes: dict[str, int], count: int) -> dict[str, int]:
    """How many of each type; at most `count` together, and never more of a type than there are.

    Where there are fewer places than types, the rarest types have none.
    """
    whole = sum(sizes.values())
    shares = {name: max(1, _rounded(Fraction(size * count, whole))) for name, size in sizes.items()}
    while sum(shares.values()) > count:
        if max(shares.values()) > 1:
            shares[max(shares, key=lambda name: (shares[name], sizes[name], name))] -= 1
        else:
            shares[min((name for name in shares if shares[name]), key=lambda name: (sizes[name], name))] = 0
    return shares


def _sizes(pool: Iterable[Entry]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for entry in pool:
        sizes[entry.question_type] = sizes.get(entry.question_type, 0) + 1
    return sizes


def _ordered(entries: Iterable[Entry], seed: int, purpose: str) -> list[Entry]:
    def rank(entry: Entry) -> tuple[bytes, str]:
        key = f"{seed}\x00{purpose}\x00{entry.question_id}"
        return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest(), entry.question_id

    return sorted(entries, key=rank)


def _rounded(share: Fraction) -> int:
    """Half up."""
    return (2 * share.numerator + share.denominator) // (2 * share.denominator)
