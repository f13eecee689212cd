"""Two publishers of one stream: one claims a version, and the other follows it."""

from pathlib import Path

from tests.unit.publisher.publish_board.publisher_on_disk import LedgerFake, Site, Stream, approved


async def test_of_two_publishers_one_claims_and_the_other_follows(
    site: Site, stream: Stream, ledger: LedgerFake, tmp_path: Path
) -> None:
    events = approved(site, "a")
    other = Site(tmp_path / "two", stream, ledger).tell(*events)
    site.tell(*events)
    await site.publisher.refresh()
    ledger.log.fill(1)

    assert not await other.publisher.refresh(), "its version lost, and it waits for the winner's"
    assert not (other.folder / "current").exists()
    assert await other.tell().publisher.refresh()

    assert stream.versions == [(1, 1)]
    assert other.served_board == site.served_board


async def test_without_old_checkpoints_a_second_disk_shows_the_same_rows_with_younger_proofs(
    site: Site, stream: Stream, ledger: LedgerFake, tmp_path: Path
) -> None:
    ledger.keeps_checkpoints = False
    events = approved(site, "a")
    await site.tell(*events).publisher.refresh()
    ledger.log.fill(4)

    other = Site(tmp_path / "two", stream, ledger).tell(*events)
    assert await other.publisher.refresh()
    assert await other.publisher.refresh()
    assert await other.again(*events).publisher.refresh()

    assert stream.versions == [(1, 1)], "two publishers must not outbid each other"
    assert other.served == site.served
