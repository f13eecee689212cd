"""Invented results, and a small log that signs and proves them with a real key."""

import hashlib
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from aml.contracts.boards import ReviewDecided
from aml.contracts.events import encode_event
from aml.contracts.seals import (
    CategoryResult,
    DatasetResult,
    Decision,
    GateCheck,
    GatePassed,
    Interval,
    JobResult,
    Latencies,
    RowSubject,
    Tally,
)
from aml.contracts.vocabulary import Arm, Division
from aml.rules.checkpoint import Checkpoint, VerifierKey, checkpoint_text, sign_note
from aml.rules.entry import entry_bytes, read_entry
from aml.rules.identity import event_id
from aml.rules.merkle import Frontier, consistency_proof, inclusion_proof, leaf_hash, node_hash

MARCH_2026 = 1_772_323_200_000


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def a_tally(score: int | None = 700_000, planned: int = 120, margin: int = 60_000) -> Tally:
    if score is None:
        return Tally(
            planned=planned, scored=0, correct=0, incorrect=0, graded=0, unscored=planned, score=None, interval=None
        )
    correct = planned * score // 1_000_000
    interval = Interval(low=max(0, score - margin), high=min(1_000_000, score + margin * 9 // 10))
    return Tally(
        planned=planned, scored=planned, correct=correct, incorrect=planned - correct, graded=0, unscored=0,
        score=score, interval=interval,
    )  # fmt: skip


def a_result(
    overall: int | None = 700_000,
    *,
    datasets: dict[str, int] | None = None,
    p95: int | None = 48_000,
    planned: int = 120,
    margin: int = 60_000,
    context_tokens: int = 250_000,
) -> JobResult:
    latencies = Latencies(
        calls=0 if p95 is None else planned,
        p50=None if p95 is None else p95 * 2 // 5,
        p95=p95,
        p99=None if p95 is None else p95 * 2,
    )
    scores = datasets if datasets is not None else {"practice": overall or 0}
    return JobResult(
        overall=overall,
        interval=None if overall is None else a_tally(overall, planned, margin).interval,
        datasets=tuple(
            DatasetResult(
                name=name,
                sha256=digest_of(name),
                overall=a_tally(score, planned, margin),
                all_questions=a_tally(score, planned, margin),
                categories=(
                    CategoryResult(
                        category="single-session",
                        capability="fact_recall",
                        in_overall=True,
                        tally=a_tally(min(1_000_000, score + 60_000), planned // 2, margin * 2),
                    ),
                    CategoryResult(
                        category="temporal",
                        capability="temporal",
                        in_overall=True,
                        tally=a_tally(max(0, score - 60_000), planned // 2, margin * 2),
                    ),
                ),
                unscored=(),
                evidence_recall=min(1_000_000, score + 90_000),
            )
            for name, score in scores.items()
        ),
        add=latencies,
        search=latencies,
        retries=0,
        context_tokens=context_tokens,
    )


def a_gate(
    job_id: str = "job-1",
    *,
    system: str = "Recall",
    version: str = "1.0.0",
    division: Division = "open_source",
    arm: Arm = "participant",
    result: JobResult | None = None,
    seal: str | None = None,
    release_id: str = "practice",
    release_digest: str | None = None,
    allow_private: bool = False,
) -> GatePassed:
    checks = (
        ("mode", "full", "full"),
        ("chain_complete", "8,241 entries", "8,241 entries"),
        ("scored_once", "120 questions", "120 questions"),
        ("release_digest", digest_of("release"), digest_of("release")),
        ("aggregate", "as claimed", "as claimed"),
        ("quota", "2 a cycle", "1 used"),
    )
    return GatePassed(
        at=MARCH_2026,
        job_id=job_id,
        subject=RowSubject(
            key_id=f"key-{job_id}",
            version_id=f"version-{job_id}",
            system=system,
            version=version,
            track="textual",
            division=division,
            arm=arm,
            mode="full",
            run_label="spring",
            release_id=release_id,
            release_digest=release_digest or digest_of("release"),
            allow_private=allow_private,
        ),
        seal=seal or digest_of(f"seal of {job_id}"),
        result=result if result is not None else a_result(),
        checks=tuple(
            GateCheck(name=name, passed=True, code="ok", expected=expected, found=found, entries=(1, 2))
            for name, expected, found in checks
        ),
        sketch=None,
    )


def a_review(
    gate: GatePassed,
    *,
    decision: Decision = "approve",
    number: int = 1,
    at: int = MARCH_2026 + 3_600_000,
    seal: str | None = None,
) -> ReviewDecided:
    return ReviewDecided(
        at=at,
        job_id=gate.job_id,
        number=number,
        decision=decision,
        reviewer="reviewer-1",
        reason="checked",
        seal=seal or gate.seal,
    )


@dataclass
class SignedLog:
    """An append-only log in memory: leaves, proofs and checkpoints as the ledger makes them."""

    origin: str = "log.example/aml"
    private: Ed25519PrivateKey = field(default_factory=lambda: Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
    entries: list[bytes] = field(default_factory=list)
    notes: dict[int, str] = field(default_factory=dict)
    nodes: dict[tuple[int, int], bytes] = field(default_factory=dict)

    @property
    def key(self) -> VerifierKey:
        public = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return VerifierKey(name=self.origin, public_key=public)

    def append(self, gate: GatePassed) -> int:
        index = len(self.entries)
        self.entries.append(
            entry_bytes(event=encode_event(gate), event_id=event_id(gate), index=index, job_seq=0, prev=None)
        )
        return index

    def fill(self, count: int) -> None:
        """Entries of other jobs, so that proofs have some length."""
        for _ in range(count):
            self.append(a_gate(f"filler-{len(self.entries)}"))

    def checkpoint(self, size: int | None = None) -> str:
        size = len(self.entries) if size is None else size
        if size not in self.notes:
            frontier = Frontier()
            for entry in self.entries[:size]:
                frontier.append(leaf_hash(entry))
            text = checkpoint_text(Checkpoint(origin=self.origin, size=size, root=frontier.root()))
            self.notes[size] = sign_note(text, self.key, self.private.sign)
        return self.notes[size]

    def proof(self, index: int, size: int) -> tuple[bytes, ...]:
        return inclusion_proof(index, size, self._node)

    def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        return consistency_proof(old, new, self._node)

    def gate_entry(self, job_id: str) -> bytes | None:
        for entry in self.entries:
            event = read_entry(entry).event
            if isinstance(event, GatePassed) and event.job_id == job_id:
                return entry
        return None

    def forget(self) -> None:
        """As a log whose disk was lost."""
        self.entries.clear()
        self.notes.clear()
        self.nodes.clear()

    def _node(self, level: int, index: int) -> bytes:
        if (level, index) not in self.nodes:
            self.nodes[level, index] = (
                leaf_hash(self.entries[index])
                if level == 0
                else node_hash(self._node(level - 1, 2 * index), self._node(level - 1, 2 * index + 1))
            )
        return self.nodes[level, index]
