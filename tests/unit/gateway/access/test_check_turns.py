"""Whose turn it is to have endpoints checked."""

import asyncio

import pytest

from aml.gateway.access.check_turns import CheckTurns
from aml.gateway.errors import MustWait


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def refused(turns: CheckTurns, address: bytes, *hosts: str) -> str | None:
    try:
        async with turns.turn(address, hosts):
            return None
    except MustWait as wait:
        return wait.reason


async def test_an_address_has_one_check_at_a_time() -> None:
    turns = CheckTurns(0)

    async with turns.turn(b"1.1.1.1", ["a.example"]):
        same_caller = await refused(turns, b"1.1.1.1", "b.example")
        other_caller = await refused(turns, b"2.2.2.2", "b.example")
        same_host = await refused(turns, b"2.2.2.2", "a.example")

    assert (same_caller, other_caller, same_host) == ("check_running", None, "check_running")
    assert await refused(turns, b"1.1.1.1", "a.example") is None


async def test_the_patient_wait_for_their_turn() -> None:
    turns = CheckTurns(0)
    order: list[str] = []

    async def check(name: str) -> None:
        async with turns.turn(b"1.1.1.1", ["a.example"], patience_seconds=5):
            order.append(f"{name} begins")
            await asyncio.sleep(0.01)
            order.append(f"{name} ends")

    await asyncio.gather(check("first"), check("second"))

    assert order == ["first begins", "first ends", "second begins", "second ends"]


async def test_patience_ends() -> None:
    turns = CheckTurns(0)

    async with turns.turn(b"1.1.1.1", ["a.example"]):
        with pytest.raises(MustWait, match="running"):
            async with turns.turn(b"1.1.1.1", ["a.example"], patience_seconds=0.02):
                pass


async def test_so_many_a_minute_for_a_caller_and_for_a_host() -> None:
    clock = Clock()
    turns = CheckTurns(2, clock=clock)

    by_caller = [await refused(turns, b"1.1.1.1", f"{number}.example") for number in range(3)]
    by_host = [await refused(turns, f"2.2.2.{number}".encode(), "victim.example") for number in range(3)]
    clock.now = 31.0
    later = await refused(turns, b"1.1.1.1", "9.example")

    assert by_caller == [None, None, "checks_used_up"]
    assert by_host == [None, None, "checks_used_up"]
    assert later is None


async def test_a_check_that_breaks_gives_its_turn_back() -> None:
    turns = CheckTurns(0)

    with pytest.raises(RuntimeError):
        async with turns.turn(b"1.1.1.1", ["a.example"]):
            raise RuntimeError

    assert await refused(turns, b"1.1.1.1", "a.example") is None
