"""Appends, crashes, power cuts, restarts and verifications in any order, against the plainest model: a list of entries."""

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.factories.faulty_disk import FAULTS, Fault, FaultyDisk, Killed
from tests.factories.paper_ledger import PaperLedger, frontier_of

from aml.ledger.errors import LedgerError


class Publication(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.monkeypatch = pytest.MonkeyPatch()
        self.folder = tempfile.TemporaryDirectory(prefix="aml-states-")
        self.loop = asyncio.Runner()
        self.disk = FaultyDisk()
        self.ledger = PaperLedger(Path(self.folder.name), self.monkeypatch, self.disk)
        self.entries: list[bytes] = []
        self.shown = 0
        self.crashed = False

    def teardown(self) -> None:
        self.monkeypatch.undo()
        self.loop.close()
        self.folder.cleanup()

    @initialize(count=st.sampled_from([0, 1, 250, 255, 256, 511]))
    def begin(self, count: int) -> None:
        self.append(count)

    @rule(count=st.integers(1, 300))
    def append(self, count: int) -> None:
        start = len(self.ledger.rows.bodies)
        self.ledger.append(count)
        self.entries += [b"entry %d" % n for n in range(start, start + count)]

    @precondition(lambda self: not self.crashed)
    @rule()
    def publish(self) -> None:
        self.loop.run(self.ledger.sign())
        self.shown = len(self.entries)
        self.disk.heal()
        assert self._size() == self.shown

    @precondition(lambda self: not self.crashed)
    @rule(step=st.integers(0, 40), fault=st.sampled_from(FAULTS))
    def publish_with_a_fault(self, step: int, fault: Fault) -> None:
        self.disk.fail_at(step, fault)
        try:
            self.loop.run(self.ledger.sign())
        except Killed:
            self.crashed = True
        except (LedgerError, OSError):
            assert fault in ("EIO", "ENOSPC")
        self.disk.heal()
        assert self._size() in (self.shown, len(self.entries))
        self.shown = self._size()

    @rule()
    def restart(self) -> None:
        self.ledger.restart()
        self.crashed = False

    @precondition(lambda self: not self.crashed)
    @rule()
    def lose_the_public_folder(self) -> None:
        FaultyDisk().remove_folder(self.ledger.public)
        self.ledger.restart()
        self.shown = 0

    @invariant()
    def the_public_log_is_a_beginning_of_the_entries(self) -> None:
        shown = self.ledger.published()
        assert (shown.size if shown is not None else 0) == self.shown
        if shown is not None:
            assert shown.root == frontier_of(self.entries[: shown.size]).root()

    @invariant()
    def the_signer_never_promised_what_is_not_there(self) -> None:
        signed = self.ledger.signer.last_signed()
        assert self.shown <= signed.size <= len(self.entries)
        assert signed.root() == frontier_of(self.entries[: signed.size]).root()

    def _size(self) -> int:
        shown = self.ledger.published()
        return shown.size if shown is not None else 0


TestPublication = Publication.TestCase
TestPublication.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
