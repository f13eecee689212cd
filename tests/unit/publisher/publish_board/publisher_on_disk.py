"""A publisher with a disk of its own, over a stream and a ledger in memory."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.factories.results import MARCH_2026, SignedLog, a_gate, a_result, a_review

from aml.contracts.boards import BoardPublished
from aml.contracts.events import Event
from aml.publisher.collect_board import Approvals
from aml.publisher.errors import LedgerUnavailable
from aml.publisher.publish_board import BoardPublisher
from aml.publisher.release_facts import ReleaseFacts
from aml.publisher.site_index import SiteBoard
from aml.publisher.swap_board import BoardFolder
from aml.rules.identity import subject_of
from aml.runtime.clock import FixedClock
from aml.runtime.publish_once import Published


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


def approved(site: Site, job_id: str, score: int = 700_000) -> tuple[Event, Event]:
    gate = a_gate(job_id, result=a_result(score))
    site.ledger.log.append(gate)
    return gate, a_review(gate)
