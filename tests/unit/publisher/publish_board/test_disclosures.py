"""What is told of a system is shown beside its rows, and makes no version."""

from tests.factories import events
from tests.unit.publisher.publish_board.publisher_on_disk import Site, Stream, approved


async def test_a_disclosure_that_comes_later_is_shown_without_a_new_version(site: Site, stream: Stream) -> None:
    await site.tell(*approved(site, "a")).publisher.refresh()
    board, versions = site.served_board, stream.versions

    told = events.told(at=1, version_id="version-a", key_id="key-a", organisation="Lethe Lab")
    await site.tell(told).publisher.refresh()

    assert b"Lethe Lab" in (site.folder / "current" / "index.html").read_bytes()
    assert (site.served_board, stream.versions) == (board, versions)


async def test_what_was_disclosed_of_a_system_that_is_not_shown_stays_unshown(site: Site) -> None:
    told = events.told(at=1, version_id="version-b", key_id="key-b", organisation="Lethe Lab")
    gate, _ = approved(site, "b")

    await site.tell(*approved(site, "a"), gate, told).publisher.refresh()

    assert not [
        path
        for path in (site.folder / "current").resolve().rglob("*")
        if path.is_file() and b"Lethe Lab" in path.read_bytes()
    ]
