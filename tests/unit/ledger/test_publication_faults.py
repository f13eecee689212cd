"""Every step of writing tiles, the signer's memory and the checkpoint: failing there leaves a log that verifies, or none."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from tests.factories.faulty_disk import FAULTS, Fault, FaultyDisk, Killed
from tests.factories.paper_ledger import PaperLedger

from aml.ledger.errors import LedgerError
from aml.rules.merkle import EMPTY_ROOT

BEFORE, AFTER = 250, 530  # the second publication fills two tiles and begins a third
MOST_STEPS = 90


def a_ledger(folder: Path, monkeypatch: pytest.MonkeyPatch, published: int) -> tuple[PaperLedger, FaultyDisk]:
    disk = FaultyDisk()
    ledger = PaperLedger(folder, monkeypatch, disk)
    if published:
        ledger.append(published)
        asyncio.run(ledger.sign())
    disk.heal()
    return ledger, disk


def attempt(ledger: PaperLedger) -> bool:
    """False when the process died or the step failed."""
    try:
        asyncio.run(ledger.sign())
    except (Killed, LedgerError, OSError):
        return False
    return True


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("published", [0, BEFORE])
def test_a_fault_at_any_step_leaves_a_log_that_verifies_or_is_unpublished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Fault, published: int
) -> None:
    sizes: set[int] = set()
    for step in range(MOST_STEPS):
        ledger, disk = a_ledger(tmp_path / f"{step}", monkeypatch, published)
        ledger.append(AFTER - published)
        disk.fail_at(step, fault)

        done = attempt(ledger)

        shown = ledger.published()
        sizes.add(shown.size if shown is not None else 0)
        assert (shown.size if shown is not None else 0) in (published, AFTER)

        disk.heal()
        if fault not in ("EIO", "ENOSPC"):  # after these the same process goes on
            ledger.restart()
        ledger.append(7)
        asyncio.run(ledger.sign())
        again = ledger.published()
        assert again is not None
        assert again.size == AFTER + 7
        if done:
            break
    else:
        pytest.fail("the sweep did not come to the last step")
    assert sizes == {published, AFTER}


def test_a_real_sigkill_at_any_step_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class DeadlyDisk(FaultyDisk):
        def _step(self, halfway: object = None) -> None:
            try:
                super()._step()
            except Killed:
                os.kill(os.getpid(), signal.SIGKILL)

    for step in range(0, MOST_STEPS, 2):
        disk = DeadlyDisk()
        ledger = PaperLedger(tmp_path / f"{step}", monkeypatch, disk)
        ledger.append(BEFORE)
        asyncio.run(ledger.sign())
        ledger.append(AFTER - BEFORE)
        disk.fail_at(step, "killed")
        child = os.fork()
        if child == 0:
            os._exit(0 if attempt(ledger) else 1)
        _, status = os.waitpid(child, 0)

        disk.heal()
        shown = ledger.published()
        assert shown is not None
        assert shown.size in (BEFORE, AFTER)
        ledger.restart()
        asyncio.run(ledger.sign())
        again = ledger.published()
        assert again is not None
        assert again.size == AFTER
        if os.WIFEXITED(status):
            assert os.WEXITSTATUS(status) == 0
            return
    pytest.fail("the sweep did not come to the last step")


def test_a_crash_leaves_partial_tiles_that_the_next_start_removes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, _ = a_ledger(tmp_path, monkeypatch, BEFORE)
    left = ledger.public / "tile/0/000.p"
    assert [each.name for each in left.iterdir()] == [str(BEFORE)]
    with monkeypatch.context() as broken:
        broken.setattr(ledger.disk, "remove_folder", lambda _: None)
        ledger.append(AFTER - BEFORE)
        asyncio.run(ledger.sign())
    assert left.exists()

    ledger.restart()
    ledger.append(1)
    asyncio.run(ledger.sign())

    assert not left.exists()
    assert sorted(each.name for each in (ledger.public / "tile/0").iterdir()) == ["000", "001", "002.p"]
    assert ledger.published() is not None


def test_an_empty_log_is_not_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, _ = a_ledger(tmp_path, monkeypatch, 0)

    assert asyncio.run(ledger.sign()) == 0
    assert ledger.published() is None
    assert ledger.signer.last_signed().root() == EMPTY_ROOT
