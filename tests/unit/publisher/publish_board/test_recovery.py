"""A publisher that crashed, lost its disk or did not hear of its claim goes on with the same version."""

from pathlib import Path

import pytest
from tests.unit.publisher.publish_board.publisher_on_disk import LedgerFake, Site, Stream, approved

from aml.publisher.swap_board import BoardFolder


async def test_a_crash_before_the_claim_changes_nothing(site: Site, stream: Stream) -> None:
    events = approved(site, "a")
    await site.tell(*events).publisher.refresh()
    more = approved(site, "b")

    def crash() -> None:
        raise KeyboardInterrupt

    stream.before_publish = crash
    with pytest.raises(KeyboardInterrupt):
        await site.tell(*more).publisher.refresh()

    assert site.served == [("a", 1)]
    stream.before_publish = lambda: None
    await site.again(*events, *more).publisher.refresh()
    assert stream.versions == [(1, 1), (2, 2)]


async def test_a_crash_between_claim_and_swap_is_finished_from_disk(
    site: Site, stream: Stream, ledger: LedgerFake, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = approved(site, "a")
    with monkeypatch.context() as patch:
        patch.setattr(BoardFolder, "swap", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            await site.tell(*events).publisher.refresh()
    assert not (site.folder / "current").exists()
    ledger.log.fill(4)
    ledger.away = True

    assert await site.again(*events).publisher.refresh()

    assert stream.versions == [(1, 1)]
    assert site.served == [("a", 1)]


async def test_a_lost_disk_gets_the_same_bytes_again(
    site: Site, stream: Stream, ledger: LedgerFake, tmp_path: Path
) -> None:
    events = approved(site, "a")
    await site.tell(*events).publisher.refresh()
    ledger.log.fill(4)

    other = Site(tmp_path / "two", stream, ledger).tell(*events)
    assert await other.publisher.refresh()

    assert stream.versions == [(1, 1)]
    assert other.served_board == site.served_board


async def test_an_own_claim_that_timed_out_is_recognised(site: Site, stream: Stream) -> None:
    events = approved(site, "a")
    await site.tell(*events).publisher.refresh()
    stored = dict(stream.facts)
    stream.facts.clear()
    fresh = site.again(*events)
    stream.facts.update(stored)

    assert await fresh.publisher.refresh()

    assert stream.versions == [(1, 1)]
