"""When the next measurement is due. Pure: the random source is passed in."""

from datetime import datetime, timedelta
from random import Random

from msgspec import Struct


class Schedule(Struct, frozen=True, kw_only=True):
    """Raises `ValueError` for what would measure all the time."""

    every: timedelta = timedelta(hours=24)
    jitter: float = 0.1
    """Share of `every`, 0 to 1, by which each wait is shortened or lengthened: many replicas should not ask at once."""
    after_failure: timedelta = timedelta(minutes=15)
    """Instead of `every`, where the measuring itself failed."""

    def __post_init__(self) -> None:
        if self.every <= timedelta(0) or self.after_failure <= timedelta(0):
            raise ValueError("every and after_failure are longer than nothing")
        if not 0 <= self.jitter <= 1:
            raise ValueError(f"jitter is {self.jitter:g}; give a share from 0 to 1")

    def next_due(self, ended: datetime, *, failed: bool, random: Random) -> datetime:
        wait = min(self.after_failure, self.every) if failed else self.every
        return ended + wait * (1 + self.jitter * (2 * random.random() - 1))
