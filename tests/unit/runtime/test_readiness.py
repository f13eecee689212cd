import asyncio

import pytest

from aml.runtime.readiness import Readiness


class Frozen:
    """Counts how often it is asked; answers once it is thawed, and takes no notice of being cancelled."""

    def __init__(self) -> None:
        self.asked = 0
        self.thawed = asyncio.Event()

    async def check(self) -> str | None:
        self.asked += 1
        while not self.thawed.is_set():
            try:
                await self.thawed.wait()
            except asyncio.CancelledError:
                continue
        return None


async def well() -> str | None:
    return None


async def ill() -> str | None:
    return "the disk is full"


async def test_only_what_is_wrong_is_named() -> None:
    assert await Readiness({"bus": well, "evidence": ill}).problems() == {"evidence": "the disk is full"}


async def test_no_checks_are_no_problems() -> None:
    assert await Readiness({}).problems() == {}


async def test_a_check_that_does_not_come_back_delays_no_answer_and_is_not_asked_twice() -> None:
    frozen = Frozen()
    readiness = Readiness({"database": frozen.check, "bus": well}, check_seconds=0.01)

    first, second = await asyncio.gather(readiness.problems(), readiness.problems())
    third = await readiness.problems()

    assert first == second == third == {"database": "no answer within 0.01 s"}
    assert frozen.asked == 1
    frozen.thawed.set()
    assert await readiness.problems() == {}
    assert frozen.asked <= 2


async def test_an_error_in_a_check_is_no_answer() -> None:
    async def broken() -> str | None:
        raise LookupError("unforeseen")

    with pytest.raises(LookupError):
        await Readiness({"broken": broken}).problems()
