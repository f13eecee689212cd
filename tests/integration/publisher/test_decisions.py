"""Reviewers' decisions on results, as the board shows them."""

import subprocess
import sys
from pathlib import Path

from tests.factories.results import a_gate, a_result, a_review
from tests.integration.publisher.board_facts import publications, tell
from tests.integration.publisher.ledger_server import LedgerServer
from tests.integration.publisher.publisher_process import PublisherProcess

from aml.rules.identity import SUBJECT_ROOT
from aml.runtime.bus import Bus


async def test_an_approved_result_is_published_and_can_be_checked(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess, tmp_path: Path
) -> None:
    publisher.start()
    await publisher.until_ready()
    ledger.log.fill(300)
    gate = a_gate("a", result=a_result(712_345))
    ledger.log.append(gate)

    await tell(bus, gate, a_review(gate))
    board = await publisher.until("a")

    assert (board.version, board.rows[0].rank, board.rows[0].log.index) == (1, 1, 300)
    [published] = await publications(bus)
    assert (published.rows, published.tree_size, published.root) == (1, 301, board.rows[0].log.root)
    site = publisher.folder / "board/current"
    assert "71.2" in (site / "index.html").read_text("utf-8")
    check = subprocess.run(
        [sys.executable, "-I", site / "proofs/check_proof.py", site / "proofs/a.json"], capture_output=True, check=False
    )
    assert check.returncode == 0, check.stdout
    assert await publisher.until_ready() == {}
    assert publisher.stop() == 0


async def test_withdrawing_takes_a_row_off_the_board(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess
) -> None:
    one, other = a_gate("a"), a_gate("b", result=a_result(800_000))
    for gate in (one, other):
        ledger.log.append(gate)
    await tell(bus, one, other, a_review(one), a_review(other))
    publisher.start()
    await publisher.until("b", "a")

    await tell(bus, a_review(one, decision="disqualify", number=2))

    assert (await publisher.until("b")).version == 2


async def test_each_decision_takes_its_effect_and_history_stays(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess
) -> None:
    one, other = a_gate("a"), a_gate("b", result=a_result(800_000))
    for gate in (one, other):
        ledger.log.append(gate)
    entries = list(ledger.log.entries)
    publisher.start()
    await tell(bus, one, other, a_review(one), a_review(other))
    await publisher.until("b", "a")
    before = await publications(bus)

    await tell(bus, a_review(one, decision="withdraw", number=2))
    await publisher.until("b")
    await tell(bus, a_review(one, decision="approve", number=3))
    await publisher.until("b", "a")
    await tell(bus, a_review(one, decision="disqualify", number=4), a_review(other, decision="withdraw", number=2))
    board = await publisher.until()

    found = await publications(bus)
    assert found[: len(before)] == before, "what was published stays a fact"
    assert board.version == len(found)
    assert ledger.log.entries == entries
    assert await bus.last_event(f"{SUBJECT_ROOT}.job.a.review_decided.1") == a_review(one)
    assert await publisher.until_ready() == {}
