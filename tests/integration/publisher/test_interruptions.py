"""Publishers that are killed, paused or not alone: one sequence of versions, none twice."""

import asyncio
from pathlib import Path

from tests.factories.results import a_gate, a_result, a_review
from tests.integration.publisher.board_facts import publications, tell
from tests.integration.publisher.ledger_server import LedgerServer
from tests.integration.publisher.publisher_process import PublisherProcess

from aml.runtime.bus import Bus


async def test_a_killed_publisher_goes_on_where_it_was(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess
) -> None:
    gates = [a_gate(f"j{n}", result=a_result(900_000 - n * 1000)) for n in range(6)]
    for n, gate in enumerate(gates):
        publisher.start()
        ledger.log.append(gate)
        await tell(bus, gate, a_review(gate))
        if n % 2:
            await asyncio.sleep(0.3 + 0.05 * n)
        else:
            await publisher.until(*(f"j{m}" for m in range(n + 1)))
        publisher.kill()

    publisher.start()
    board = await publisher.until(*(f"j{n}" for n in range(6)))

    found = await publications(bus)
    assert found[-1].version == board.version
    assert [each.rows for each in found] == sorted({each.rows for each in found}), "no version repeats another"


async def test_two_publishers_agree(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess, broker_url: str, tmp_path: Path
) -> None:
    second = PublisherProcess(tmp_path / "two", broker_url, ledger)
    publisher.start()
    second.start()
    try:
        await publisher.until_ready()
        await second.until_ready()
        names: list[str] = []
        for n in range(4):
            gate = a_gate(f"j{n}", result=a_result(900_000 - n * 1000))
            ledger.log.append(gate)
            await tell(bus, gate, a_review(gate))
            names.append(gate.job_id)
            mine, other = await publisher.until(*names), await second.until(*names)
            ledger.log.fill(1)
        await asyncio.sleep(0.5)

        assert [each.rows for each in await publications(bus)] == [1, 2, 3, 4]
        assert mine.version == other.version == 4
    finally:
        second.stop()


async def test_a_publisher_paused_before_its_claim_follows_the_one_that_went_on(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess, broker_url: str, tmp_path: Path
) -> None:
    """It has verified a board and is stopped; the other publishes a different one under that number. One version stands."""
    second = PublisherProcess(tmp_path / "two", broker_url, ledger)
    first, later = a_gate("a"), a_gate("b", result=a_result(900_000))
    ledger.log.append(first)
    publisher.start()
    try:
        await publisher.until_ready()
        ledger.answering.clear()
        ledger.asked.clear()
        await tell(bus, first, a_review(first))
        async with asyncio.timeout(15):
            await ledger.asked.wait()
        publisher.pause()
        ledger.log.append(later)
        await tell(bus, later, a_review(later))
        ledger.answering.set()  # what the paused one asked for lies in its socket

        second.start()
        theirs = await second.until("b", "a")
        [claimed] = await publications(bus)
        assert (claimed.version, claimed.rows) == (1, 2)
        await asyncio.sleep(1.0)
        publisher.wake()
        mine = await publisher.until("b", "a")
        await publisher.until_ready()
        await asyncio.sleep(0.5)

        assert await publications(bus) == [claimed]
        assert mine == theirs
        assert (publisher.folder / "board/current/board.json").read_bytes() == (
            second.folder / "board/current/board.json"
        ).read_bytes()
    finally:
        second.stop()
