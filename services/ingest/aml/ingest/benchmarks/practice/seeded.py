"""Choices from a seed that are the same bytes on every machine and Python, which `random.Random` promises for few methods."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Seeded:
    """A stream of choices: SHA-256 over the seed, a path of names and a counter. `at` opens an independent stream."""

    def __init__(self, seed: int, *path: str) -> None:
        self._seed = seed
        self._path = path
        self._drawn = 0

    def at(self, *names: str) -> "Seeded":
        return Seeded(self._seed, *self._path, *names)

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1. The bias of the modulus on 64 bits is nothing here."""
        key = "\x1f".join((str(self._seed), *self._path, str(self._drawn)))
        self._drawn += 1
        return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % bound

    def one(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Fisher–Yates."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
