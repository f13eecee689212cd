"""Only what the log proves is published: it may be late or away, and may neither contradict nor go back."""

import pytest
from tests.factories.results import a_gate, a_review
from tests.unit.publisher.publish_board.publisher_on_disk import LedgerFake, Site, Stream, approved

from aml.publisher.errors import CheckpointRejected, EntryPending, LedgerUnavailable

LATER = 10_001


async def test_a_row_that_the_log_contradicts_is_never_published(
    site: Site, stream: Stream, ledger: LedgerFake
) -> None:
    ledger.lies_about = {"a"}
    site.tell(*approved(site, "a"), *approved(site, "b", 600_000))

    assert not await site.publisher.refresh()

    assert site.served == [("b", 1)]
    assert list(site.publisher.problems) == ["a"]
    ledger.lies_about = set()
    assert await site.publisher.refresh()
    assert site.served == [("a", 2), ("b", 2)]
    assert site.publisher.problems == {}


async def test_an_entry_that_is_late_is_waited_for_and_then_left_out(site: Site, stream: Stream) -> None:
    late = a_gate("late")
    site.tell(*approved(site, "a"), late, a_review(late))

    with pytest.raises(EntryPending):
        await site.publisher.refresh()
    assert stream.versions == []

    site.clock.advance(LATER)
    assert not await site.publisher.refresh()
    assert site.served == [("a", 1)]
    assert list(site.publisher.problems) == ["late"]

    site.ledger.log.append(late)
    assert await site.publisher.refresh()
    assert stream.versions == [(1, 1), (2, 2)]


async def test_a_ledger_that_is_away_leaves_the_board_as_it_is(site: Site, ledger: LedgerFake, stream: Stream) -> None:
    await site.tell(*approved(site, "a")).publisher.refresh()
    site.tell(*approved(site, "b"))
    ledger.away = True

    with pytest.raises(LedgerUnavailable):
        await site.publisher.refresh()

    assert site.served == [("a", 1)]
    assert stream.versions == [(1, 1)]


async def test_a_log_that_went_back_is_refused(site: Site, ledger: LedgerFake) -> None:
    await site.tell(*approved(site, "a")).publisher.refresh()
    gate = a_gate("b")
    ledger.log.forget()
    ledger.log.append(gate)

    with pytest.raises(CheckpointRejected):
        await site.tell(gate, a_review(gate)).publisher.refresh()

    assert site.served == [("a", 1)]


async def test_no_checkpoint_is_used_that_is_older_than_the_last_one(site: Site, ledger: LedgerFake) -> None:
    ledger.log.fill(20)
    await site.tell(*approved(site, "a")).publisher.refresh()
    older = ledger.log.checkpoint(10)
    gate = a_gate("b")
    ledger.log.append(gate)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger.log, "checkpoint", lambda size=None: older)
        with pytest.raises(CheckpointRejected, match="covers 10 entries"):
            await site.tell(gate, a_review(gate)).publisher.refresh()

    assert site.served == [("a", 1)]


@pytest.mark.parametrize("restarted", [False, True], ids=["in one process", "after a restart"])
async def test_a_stream_that_was_emptied_does_not_let_an_older_checkpoint_in(
    site: Site, ledger: LedgerFake, restarted: bool
) -> None:
    """What was published is then known from the disk, or from this very process, and from nowhere else."""
    ledger.log.fill(20)
    await site.tell(*approved(site, "a")).publisher.refresh()
    older = ledger.log.checkpoint(10)
    site.stream.facts.clear()
    site.state.published.clear()
    gate = a_gate("b")
    ledger.log.append(gate)
    after = site.again() if restarted else site

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger.log, "checkpoint", lambda size=None: older)
        with pytest.raises(CheckpointRejected, match="covers 10 entries"):
            await after.tell(gate, a_review(gate)).publisher.refresh()

    assert after.stream.versions == []
