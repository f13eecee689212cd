"""What the ledger does not prove stays off the board, and readiness says why."""

import asyncio

from tests.factories.results import a_gate, a_result, a_review
from tests.integration.publisher.board_facts import publications, tell
from tests.integration.publisher.ledger_server import LedgerServer
from tests.integration.publisher.publisher_process import PublisherProcess

from aml.runtime.bus import Bus


async def test_a_row_that_the_ledger_contradicts_stays_off_and_readiness_says_so(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess
) -> None:
    good, bad = a_gate("good"), a_gate("bad", result=a_result(990_000))
    ledger.log.append(good)
    ledger.log.append(a_gate("bad", result=a_result(500_000)))
    await tell(bus, good, bad, a_review(good), a_review(bad))

    publisher.start()
    await publisher.until("good")

    problems = await publisher.until_ready(503)
    assert "bad" in problems["rows"]
    assert "another event" in problems["rows"]


async def test_another_logs_key_publishes_nothing(bus: Bus, ledger: LedgerServer, publisher: PublisherProcess) -> None:
    gate = a_gate("a")
    ledger.log.append(gate)
    right = publisher.verifier_file.read_text()
    publisher.verifier_file.unlink()
    await tell(bus, gate, a_review(gate))

    publisher.start()
    async with asyncio.timeout(15):
        while "board" not in await publisher.until_ready(503):
            await asyncio.sleep(0.02)
    assert publisher.board() is None
    assert await publications(bus) == []

    publisher.verifier_file.write_text(right)
    await publisher.until("a")
