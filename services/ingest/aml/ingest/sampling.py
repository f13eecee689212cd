"""Which questions a limited run asks: the same ones on every machine, whatever order they come in."""

import hashlib
import heapq
from collections.abc import Iterable


def choose_questions(question_ids: Iterable[str], limit: int | None, seed: int) -> frozenset[str]:
    """The `limit` ids with the smallest SHA-256 of `<seed in decimal> NUL <id>`; all of them when `limit` is None.

    A larger limit under the same seed adds questions and drops none. Raises `ValueError` for a negative limit.
    """
    if limit is None:
        return frozenset(question_ids)
    if limit < 0:
        raise ValueError(f"a limit of questions is not negative: {limit}")
    prefix = b"%d\x00" % seed
    return frozenset(heapq.nsmallest(limit, set(question_ids), key=lambda name: (_rank(prefix, name), name)))


def _rank(prefix: bytes, question_id: str) -> bytes:
    return hashlib.sha256(prefix + question_id.encode("utf-8", "surrogatepass")).digest()
