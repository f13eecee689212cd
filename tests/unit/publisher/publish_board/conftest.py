"""One publisher, the stream that it shares with others, and the ledger that it asks."""

from pathlib import Path

import pytest
from tests.factories.results import SignedLog
from tests.unit.publisher.publish_board.publisher_on_disk import LedgerFake, Site, Stream


@pytest.fixture
def stream() -> Stream:
    return Stream()


@pytest.fixture
def ledger() -> LedgerFake:
    log = SignedLog()
    log.fill(5)
    return LedgerFake(log)


@pytest.fixture
def site(tmp_path: Path, stream: Stream, ledger: LedgerFake) -> Site:
    return Site(tmp_path / "one", stream, ledger)
