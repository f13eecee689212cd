"""What becomes a version of a board, and what does not."""

import json

from tests.factories.results import a_gate, a_review
from tests.unit.publisher.publish_board.publisher_on_disk import Site, Stream, approved


async def test_before_any_result_an_empty_site_is_served(site: Site, stream: Stream) -> None:
    site.ledger.away = True

    assert await site.publisher.refresh()

    assert "No result has been published yet" in (site.folder / "current/index.html").read_text("utf-8")
    assert stream.versions == []


async def test_an_approval_becomes_a_version_that_is_claimed_and_served(site: Site, stream: Stream) -> None:
    site.tell(*approved(site, "a"))

    assert await site.publisher.refresh()

    assert stream.versions == [(1, 1)]
    assert site.served == [("a", 1)]


async def test_nothing_new_publishes_nothing(site: Site, stream: Stream) -> None:
    events = approved(site, "a")
    await site.tell(*events).publisher.refresh()
    site.ledger.log.fill(3)

    assert await site.publisher.refresh()
    assert await site.again(*events).publisher.refresh()

    assert stream.versions == [(1, 1)]


async def test_boards_of_two_releases_do_not_disturb_each_other(site: Site, stream: Stream) -> None:
    await site.tell(*approved(site, "a")).publisher.refresh()
    gate = a_gate("b", release_id="openai")
    site.ledger.log.append(gate)

    await site.tell(gate, a_review(gate)).publisher.refresh()

    index = json.loads((site.folder / "current/boards.json").read_bytes())
    assert [(each["release_id"], each["version"]) for each in index["boards"]] == [("openai", 1), ("practice", 1)]
    assert stream.versions == [(1, 1), (1, 1)]
