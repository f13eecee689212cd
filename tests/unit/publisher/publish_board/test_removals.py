"""A row that leaves the board stays away, and what was published stays a fact."""

import json

from tests.factories.results import a_review
from tests.unit.publisher.publish_board.publisher_on_disk import Site, Stream, approved

from aml.contracts.seals import GatePassed
from aml.publisher.swap_board import BoardFolder


async def test_a_withdrawn_result_leaves_with_the_next_version(site: Site, stream: Stream) -> None:
    gate, review = approved(site, "a")
    await site.tell(gate, review, *approved(site, "b")).publisher.refresh()
    assert isinstance(gate, GatePassed)

    site.tell(a_review(gate, decision="withdraw", number=2))
    await site.publisher.refresh()

    assert stream.versions == [(1, 2), (2, 1)]
    assert site.served == [("b", 2)]


def _named(stream: Stream, version: int) -> tuple[str, int, str]:
    (fact,) = [each for each in stream.facts.values() if each.version == version]
    return fact.board_id, fact.version, fact.digest


async def test_disqualification_leaves_the_history_as_it_was(site: Site, stream: Stream) -> None:
    gate, review = approved(site, "a")
    await site.tell(gate, review).publisher.refresh()
    entries, first = list(site.ledger.log.entries), site.served_board
    assert isinstance(gate, GatePassed)

    await site.tell(a_review(gate, decision="disqualify", number=2)).publisher.refresh()

    assert site.served == []
    assert stream.versions == [(1, 1), (2, 0)]
    assert site.ledger.log.entries == entries
    stored = BoardFolder(site.folder).find(*_named(stream, 1))
    assert stored is not None
    assert json.loads(first)["rows"][0]["job_id"] == stored.board.rows[0].job_id == "a"


async def test_a_late_approval_does_not_bring_a_withdrawn_row_back(site: Site, stream: Stream) -> None:
    gate, review = approved(site, "a")
    assert isinstance(gate, GatePassed)
    await site.tell(gate, a_review(gate, decision="withdraw", number=2), review).publisher.refresh()
    assert stream.versions == []
