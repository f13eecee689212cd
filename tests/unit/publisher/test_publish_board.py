import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.factories import events
from tests.factories.results import MARCH_2026, SignedLog, a_gate, a_result, a_review

from aml.contracts.boards import BoardPublished
from aml.contracts.events import Event
from aml.contracts.seals import GatePassed
from aml.publisher.collect_board import Approvals
from aml.publisher.errors import CheckpointRejected, EntryPending, LedgerUnavailable
from aml.publisher.publish_board import BoardPublisher
from aml.publisher.release_facts import ReleaseFacts
from aml.publisher.site_index import SiteBoard
from aml.publisher.swap_board import BoardFolder
from aml.rules.identity import subject_of
from aml.runtime.clock import FixedClock
from aml.runtime.publish_once import Published

LATER = 10_001


class Stream:
    """Holds one fact a subject, as the real one does, and hands it to its readers when they ask."""

    def __init__(self) -> None:
        self.facts: dict[str, BoardPublished] = {}
        self.before_publish: Callable[[], None] = lambda: None

    async def publish_once(self, event: BoardPublished) -> Published:
        self.before_publish()
        if subject_of(event) in self.facts:
            return Published.ALREADY
        self.facts[subject_of(event)] = event
        return Published.NEW

    async def standing(self, event: BoardPublished) -> BoardPublished | None:
        return self.facts.get(subject_of(event))

    @property
    def versions(self) -> list[tuple[int, int]]:
        return [(fact.version, fact.rows) for fact in self.facts.values()]


class LedgerFake:
    """A log over memory, with and without old checkpoints, that can be away or lie."""

    def __init__(self, log: SignedLog, *, keeps_checkpoints: bool = True) -> None:
        self.log = log
        self.keeps_checkpoints = keeps_checkpoints
        self.away = False
        self.lies_about: set[str] = set()

    async def checkpoint(self, size: int | None = None) -> str:
        self._require()
        return self.log.checkpoint(size if self.keeps_checkpoints else None)

    async def gate_entry(self, job_id: str) -> bytes | None:
        self._require()
        entry = self.log.gate_entry(job_id)
        return entry.replace(b"700000", b"900000") if entry is not None and job_id in self.lies_about else entry

    async def proof(self, index: int, size: int) -> tuple[bytes, ...]:
        return self.log.proof(index, size)

    async def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        return self.log.consistency(old, new)

    def _require(self) -> None:
        if self.away:
            raise LedgerUnavailable("/log/checkpoint", "ConnectionRefusedError")


class Titles:
    def facts(self, release_id: str, release_digest: str, served: SiteBoard | None) -> ReleaseFacts:
        return ReleaseFacts(title=f"Release {release_id}", comparable=True)


class Site:
    """One publisher with a disk; `again()` is the same one after a restart."""

    def __init__(self, folder: Path, stream: Stream, ledger: LedgerFake) -> None:
        self.folder = folder
        self.stream = stream
        self.ledger = ledger
        self.clock = FixedClock(MARCH_2026)
        self.state = Approvals()
        self.publisher = BoardPublisher(
            state=self.state,
            facts=stream,
            ledger=ledger,
            folder=BoardFolder(folder),
            releases=Titles(),
            read_key=lambda: ledger.log.key,
            clock=self.clock,
        )

    def tell(self, *events: Event) -> "Site":
        for event in (*events, *self.stream.facts.values()):
            self.state.apply(event)
        return self

    def again(self, *events: Event) -> "Site":
        return Site(self.folder, self.stream, self.ledger).tell(*events)

    @property
    def served(self) -> list[tuple[str, int]]:
        board = json.loads((self.folder / "current" / "board.json").read_bytes())
        return [(row["job_id"], board["version"]) for row in board["rows"]]

    @property
    def served_board(self) -> bytes:
        return (self.folder / "current" / "board.json").read_bytes()


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


def approved(site: Site, job_id: str, score: int = 700_000) -> tuple[Event, Event]:
    gate = a_gate(job_id, result=a_result(score))
    site.ledger.log.append(gate)
    return gate, a_review(gate)


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


async def test_a_withdrawn_result_leaves_with_the_next_version(site: Site, stream: Stream) -> None:
    gate, review = approved(site, "a")
    await site.tell(gate, review, *approved(site, "b")).publisher.refresh()
    assert isinstance(gate, GatePassed)

    site.tell(a_review(gate, decision="withdraw", number=2))
    await site.publisher.refresh()

    assert stream.versions == [(1, 2), (2, 1)]
    assert site.served == [("b", 2)]


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


async def test_an_own_claim_that_timed_out_is_recognised(site: Site, stream: Stream) -> None:
    events = approved(site, "a")
    await site.tell(*events).publisher.refresh()
    stored = dict(stream.facts)
    stream.facts.clear()
    fresh = site.again(*events)
    stream.facts.update(stored)

    assert await fresh.publisher.refresh()

    assert stream.versions == [(1, 1)]


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


async def test_boards_of_two_releases_do_not_disturb_each_other(site: Site, stream: Stream) -> None:
    await site.tell(*approved(site, "a")).publisher.refresh()
    gate = a_gate("b", release_id="openai")
    site.ledger.log.append(gate)

    await site.tell(gate, a_review(gate)).publisher.refresh()

    index = json.loads((site.folder / "current/boards.json").read_bytes())
    assert [(each["release_id"], each["version"]) for each in index["boards"]] == [("openai", 1), ("practice", 1)]
    assert stream.versions == [(1, 1), (1, 1)]


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


def _named(stream: Stream, version: int) -> tuple[str, int, str]:
    (fact,) = [each for each in stream.facts.values() if each.version == version]
    return fact.board_id, fact.version, fact.digest


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
