"""Reads that wait together go out together, and none sees less than was there when it was asked for."""

import asyncio
import contextlib

import pytest

from aml.gateway.storage.gathered_reads import GatheredReads


class Source:
    def __init__(self) -> None:
        self.values = {"a": 1, "b": 2}
        self.asked: list[list[str]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.failure: Exception | None = None

    async def read(self, keys: list[str]) -> dict[str, int]:
        self.asked.append(keys)
        found = {key: self.values[key] for key in keys if key in self.values}
        await self.gate.wait()
        if self.failure is not None:
            raise self.failure
        return found


async def test_whoever_waits_together_is_one_read() -> None:
    source = Source()
    reads = GatheredReads(source.read)

    found = await asyncio.gather(*(reads.get(key) for key in ("a", "b", "a", "nowhere")))

    assert found == [1, 2, 1, None]
    assert source.asked == [["a", "b", "nowhere"]]


async def test_a_read_joins_none_that_is_under_way() -> None:
    source = Source()
    reads = GatheredReads(source.read)
    source.gate.clear()
    first = asyncio.create_task(reads.get("a"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    source.values["a"] = 7  # committed while the first read is under way
    second = asyncio.create_task(reads.get("a"))
    source.gate.set()

    assert await first == 1
    assert await second == 7


async def test_a_failure_is_told_to_everybody_and_the_next_read_is_a_new_one() -> None:
    source = Source()
    source.failure = ConnectionError("away")
    reads = GatheredReads(source.read)

    told = await asyncio.gather(reads.get("a"), reads.get("b"), return_exceptions=True)
    source.failure = None

    assert [type(each) for each in told] == [ConnectionError] * 2
    assert await reads.get("a") == 1


async def test_a_caller_that_goes_away_takes_nobody_with_it() -> None:
    source = Source()
    reads = GatheredReads(source.read)
    source.gate.clear()
    gone, stays = asyncio.create_task(reads.get("a")), asyncio.create_task(reads.get("a"))
    await asyncio.sleep(0)

    gone.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await gone
    source.gate.set()

    assert await stays == 1
    with pytest.raises(asyncio.CancelledError):
        gone.result()
