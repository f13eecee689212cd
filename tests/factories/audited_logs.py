"""A small log with a finished, published job, and bundles of it in memory: honest ones, to be tampered with by the tests."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace
from tests.factories.events import a_digest, an_event
from tests.factories.finished_jobs import a_job

from aml.contracts.audit import BundleScope, Opening
from aml.contracts.boards import Board, BoardDataset, BoardPublished, BoardRow, LogPosition, ReviewDecided
from aml.contracts.envelope import EvidenceRef
from aml.contracts.events import Event, encode_event
from aml.contracts.jobs import JobRequested
from aml.contracts.packs import VerdictRecord
from aml.contracts.release import Release, ReleaseLocked
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
from aml.contracts.verdicts import AnswerScored
from aml.rules.bundle_archive import ArchiveWriter
from aml.rules.bundle_tree import BundleTree
from aml.rules.checkpoint import Checkpoint, VerifierKey, checkpoint_text, sign_note
from aml.rules.commitment import commit
from aml.rules.entry import ReadEntry, entry_bytes, read_entry
from aml.rules.gate import GateBundle, evaluate_gate
from aml.rules.identity import event_id
from aml.rules.merkle import leaf_hash
from aml.rules.release_digest import folder_digest, read_manifest
from aml.rules.verify.head import read_head
from aml.toolkit.audit.bundle_members import Beside, EntryPages, manifest_member, members_beside, openings_page
from aml.toolkit.audit.entry_choice import EntryChoice

ORIGIN = "log.example/aml"
BOARD_ID = "textual-practice-1-00000000"
NONCE = bytes(range(32))

MANIFEST = """
release_id = "practice-1"
title = "Practice"
comparable = false
track = "textual"
top_k = 20
smoke_datasets = []
[answer]
kind = "extractive"
[judge]
kind = "rules"
[scoring.fact_recall]
rule = "rule_judge"
[scoring.temporal]
rule = "rule_judge"
[[datasets]]
name = "practice"
adapter = "practice"
version = "1"
sha256 = "{sha256}"
samples = 1
questions = {questions}
"""


def release_folder(questions: int) -> dict[str, bytes]:
    return {"release.toml": MANIFEST.format(sha256=a_digest("bundle"), questions=questions).encode()}


@dataclass
class AuditedLog:
    """Chains, hashes and signs as the ledger does; `forge` lets a test sign what no honest ledger would."""

    origin: str = ORIGIN
    private: Ed25519PrivateKey = field(default_factory=lambda: Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
    bodies: list[bytes] = field(default_factory=list)
    jobs: dict[str, list[ReadEntry]] = field(default_factory=dict)
    openings: dict[str, list[Opening]] = field(default_factory=dict)
    folder: dict[str, bytes] = field(default_factory=dict)
    boards: dict[str, bytes] = field(default_factory=dict)
    locks: list[tuple[int, ReleaseLocked]] = field(default_factory=list)

    @property
    def key(self) -> VerifierKey:
        return VerifierKey(name=self.origin, public_key=self.private.public_key().public_bytes_raw())

    @property
    def keys(self) -> tuple[VerifierKey, ...]:
        return (self.key,)

    @property
    def digest(self) -> str:
        return folder_digest(self.folder)

    @property
    def release(self) -> Release:
        return read_manifest(self.folder["release.toml"])

    def append(self, event: Event) -> ReadEntry:
        job_id = getattr(event, "job_id", None)
        chain = self.jobs.setdefault(job_id, []) if job_id is not None else None
        body = entry_bytes(
            event=encode_event(event),
            event_id=event_id(event),
            index=len(self.bodies),
            job_seq=None if chain is None else len(chain),
            prev=chain[-1].leaf if chain else None,
        )
        entry = read_entry(body)
        self.bodies.append(body)
        if chain is not None:
            chain.append(entry)
        if isinstance(event, ReleaseLocked):
            self.locks.append((entry.index, event))
        return entry

    def note(self, size: int | None = None, bodies: list[bytes] | None = None) -> str:
        bodies = self.bodies if bodies is None else bodies
        size = len(bodies) if size is None else size
        root = BundleTree(map(leaf_hash, bodies[:size])).root(size)
        return sign_note(
            checkpoint_text(Checkpoint(origin=self.origin, size=size, root=root)), self.key, self.private.sign
        )

    def finish(self, job_id: str, *, claim: dict[str, Any] | None = None, flip: bool = False) -> ReadEntry:
        """Seals the job, and states the gate's decision about it, or another one."""
        chain = self.jobs[job_id]
        self.append(an_event(JobSealed, job_id=job_id, entries=len(chain), last_leaf=chain[-1].leaf))
        again = evaluate_gate(
            GateBundle(entries=tuple(self.jobs[job_id]), release=self.release, locks=tuple(self.locks), earlier=())
        )
        kind = GatePassed if again.passed != flip else GateRefused
        fields: dict[str, Any] = {
            "subject": again.subject,
            "seal": again.seal,
            "result": again.result,
            "checks": again.checks,
        }
        if kind is GatePassed:
            fields["sketch"] = again.sketch
        if kind is GatePassed:
            fields["sketch"] = again.sketch
        return self.append(kind(at=1_780_000_000_500, job_id=job_id, **(fields | (claim or {}))))

    def board(self, gate: ReadEntry, size: int | None = None, **row: Any) -> Board:
        size = len(self.bodies) if size is None else size
        tree = BundleTree(map(leaf_hash, self.bodies))
        claim = gate.event
        assert isinstance(claim, GatePassed)
        result = claim.result
        assert result.overall is not None
        assert result.interval is not None
        fields: dict[str, Any] = {
            "rank": 1,
            "job_id": claim.job_id,
            "subject": claim.subject,
            "overall": result.overall,
            "interval": result.interval,
            "datasets": tuple(BoardDataset(name=each.name, tally=each.overall) for each in result.datasets),
            "add": result.add,
            "search": result.search,
            "context_tokens": result.context_tokens,
            "checks": claim.checks,
            "approved_at": 1,
            "log": LogPosition(
                index=gate.index,
                leaf=gate.leaf,
                tree_size=size,
                root=tree.root(size).hex(),
                proof=tuple(step.hex() for step in tree.proof(gate.index, size)),
            ),
        }
        return Board(
            version=1,
            track="textual",
            release_id="practice-1",
            release_digest=self.digest,
            comparable=False,
            checkpoint=self.note(size),
            rows=(BoardRow(**(fields | row)),),
        )

    def publish(self, board: Board) -> None:
        data = msgspec.json.encode(board)
        self.boards[BOARD_ID] = data
        self.append(
            an_event(BoardPublished, board_id=BOARD_ID, version=1, rows=1, digest=hashlib.sha256(data).hexdigest())
        )

    def bundle(
        self, scope: BundleScope = "cycle", *, jobs: Iterable[str] = ("job-1",), note: str | None = None,
        bodies: list[bytes] | None = None, opened: bool = True,
    ) -> dict[str, bytes]:  # fmt: skip
        """As the exporter makes it, of what the log holds (or of forged `bodies`)."""
        bodies = self.bodies if bodies is None else bodies
        wanted = None if scope == "cycle" else frozenset(jobs)
        pages = EntryPages(scope, EntryChoice(wanted))
        members: dict[str, bytes] = {}
        for body in bodies:
            members.update(pages.take(body))
        members.update(pages.rest())
        note = self.note(bodies=bodies) if note is None else note
        root = BundleTree(map(leaf_hash, bodies)).root(len(bodies))
        held = Checkpoint(origin=self.origin, size=len(bodies), root=root)
        beside = Beside(note=note, releases={self.digest: self.folder}, boards=self.boards)
        members.update(members_beside(pages, held, beside))
        shown = sorted(self.openings) if opened else []
        members.update(openings_page(job_id, 0, self.openings[job_id]) for job_id in shown)
        members.update(
            [manifest_member(scope=scope, checkpoint=read_head(note), held=pages.held, jobs=wanted or (), opened=shown)]
        )
        return members


def a_log_of(events: Iterable[Event] | None = None, *, questions: int = 4) -> AuditedLog:
    """A lock, and a job's facts up to its last score, with the verdicts opened."""
    log = AuditedLog(folder=release_folder(questions))
    log.append(an_event(ReleaseLocked, release_digest=log.digest))
    for event in a_job(questions=questions) if events is None else events:
        log.append(under(log, event))
    return log


def a_published_log(**options: Any) -> AuditedLog:
    """A whole story: the job passed the gate, was approved, and stands on the board."""
    log = a_log_of(**options)
    gate = log.finish("job-1")
    claim = gate.event
    assert isinstance(claim, GatePassed), claim
    log.append(an_event(ReviewDecided, job_id="job-1", number=1, decision="approve", seal=claim.seal))
    log.publish(log.board(gate))
    return log


def under(log: AuditedLog, event: Event) -> Event:
    """The event under the log's release, its verdict committed to a payload that can be opened."""
    match event:
        case AnswerScored():
            record = VerdictRecord(rule=event.rule, score=event.score, reason=f"question {event.index}")
            return replace(event, verdict=commit_to(log, event.job_id, msgspec.json.encode(record)))
        case JobRequested():
            return replace(event, release_digest=log.digest)
        case _ if hasattr(event, "release_digest"):
            return replace(event, release_digest=log.digest)
        case _:
            return event


def commit_to(log: AuditedLog, job_id: str, payload: bytes) -> EvidenceRef:
    digest = commit(NONCE, payload)
    opening = Opening(digest=digest, nonce=NONCE.hex(), media_type="application/json", payload=payload)
    log.openings.setdefault(job_id, []).append(opening)
    return EvidenceRef(digest=digest, size=len(payload), media_type="application/json")


def write_bundle(path: Path, members: dict[str, bytes]) -> Path:
    with path.open("wb") as file, ArchiveWriter(file) as archive:
        archive.add_all(sorted(members.items()))
    return path
