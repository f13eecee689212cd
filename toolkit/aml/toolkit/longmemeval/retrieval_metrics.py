"""Retrieval metrics, each named for what it is: "recall" alone would hide whether one or all of the evidence was found.

Ranked lists hold ids, best first; an id that comes again further down counts at its first place. All results are 0 to 1.
"""

import math
from collections.abc import Callable, Sequence, Set

from msgspec import Struct

Gain = Callable[[int], float]
"""Place, from 1 on, to what a relevant id is worth there."""


class RetrievalMetrics(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    k: int
    recall_any: float
    recall_all: float
    ndcg: float
    ndcg_lme_compat: float


def retrieval_metrics(ranked: Sequence[str], relevant: Set[str], k: int) -> RetrievalMetrics:
    return RetrievalMetrics(
        k=k,
        recall_any=recall_any(ranked, relevant, k),
        recall_all=recall_all(ranked, relevant, k),
        ndcg=ndcg(ranked, relevant, k),
        ndcg_lme_compat=ndcg_lme_compat(ranked, relevant, k),
    )


def recall_any(ranked: Sequence[str], relevant: Set[str], k: int) -> float:
    """1 if the first `k` hold any relevant id (LongMemEval's `recall_any@k`). Raises `ValueError`, as they all do."""
    _require(relevant, k)
    return float(not relevant.isdisjoint(_first(ranked, k)))


def recall_all(ranked: Sequence[str], relevant: Set[str], k: int) -> float:
    """1 if the first `k` hold every relevant id (LongMemEval's `recall_all@k`)."""
    _require(relevant, k)
    return float(relevant <= set(_first(ranked, k)))


def ndcg(ranked: Sequence[str], relevant: Set[str], k: int) -> float:
    """Binary NDCG with the discount log2(i + 1) (Järvelin and Kekäläinen, ACM TOIS 20(4), 2002, in its usual form)."""
    return _normalised(ranked, relevant, k, lambda place: 1 / math.log2(place + 1))


def ndcg_lme_compat(ranked: Sequence[str], relevant: Set[str], k: int) -> float:
    """NDCG as LongMemEval's code has it, DCG = rel_1 + sum over i >= 2 of rel_i / log2(i): place 2 is not discounted.

    For comparing with figures that were made with that code; source: `src/retrieval/eval_utils.py` of its repository.
    """
    return _normalised(ranked, relevant, k, lambda place: 1.0 if place == 1 else 1 / math.log2(place))


def _normalised(ranked: Sequence[str], relevant: Set[str], k: int, gain: Gain) -> float:
    _require(relevant, k)
    found = sum(gain(place) for place, name in enumerate(_first(ranked, k), start=1) if name in relevant)
    ideal = sum(gain(place) for place in range(1, min(k, len(relevant)) + 1))
    return min(1.0, found / ideal)


def _first(ranked: Sequence[str], k: int) -> list[str]:
    return list(dict.fromkeys(ranked))[:k]


def _require(relevant: Set[str], k: int) -> None:
    if k < 1:
        raise ValueError(f"k is {k}; a ranking is cut after its first place or later")
    if not relevant:
        raise ValueError("no id is relevant; a question without evidence has no retrieval metrics")
