"""Which results stand on which board: a projection of the stream and the pure decisions over it."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from aml.contracts.access import Disclosed, VersionChanged, VersionDisclosed
from aml.contracts.boards import Board, BoardDataset, BoardPublished, BoardRow, LogPosition, ReviewDecided
from aml.contracts.events import Event
from aml.contracts.seals import GatePassed
from aml.contracts.vocabulary import Division, Track
from aml.rules.gate import publication_allowed
from aml.rules.identity import SUBJECT_ROOT, job_subject

WATCHED_SUBJECTS = (
    job_subject("*", GatePassed),
    job_subject("*", ReviewDecided, "*"),
    f"{SUBJECT_ROOT}.board.*.board_published.*",
    f"{SUBJECT_ROOT}.version.*.version_disclosed",
    f"{SUBJECT_ROOT}.version.*.version_changed.*",
)

DIVISION_ORDER: tuple[Division, ...] = ("open_source", "commercial", "baseline")


@dataclass
class Approvals:
    """All that was ever passed, reviewed, published and disclosed. `apply` is idempotent and does not mind the order."""

    on_change: Callable[[], None] | None = None
    gates: dict[str, GatePassed] = field(default_factory=dict)
    reviews: dict[str, ReviewDecided] = field(default_factory=dict)
    published: dict[str, BoardPublished] = field(default_factory=dict)
    """Each board's highest version."""
    disclosures: dict[str, Disclosed] = field(default_factory=dict)
    """By version, as its owner last stated them."""

    def apply(self, event: Event) -> None:
        match event:
            case GatePassed() if event.job_id not in self.gates:
                self.gates[event.job_id] = event
            case ReviewDecided() if self._is_news(event):
                self.reviews[event.job_id] = event
            case BoardPublished() if self.version_of(event.board_id) < event.version:
                self.published[event.board_id] = event
            case VersionDisclosed() | VersionChanged() if self._is_said_later(event):
                self.disclosures[event.version_id] = event
            case _:
                return
        if self.on_change is not None:
            self.on_change()

    def version_of(self, board_id: str) -> int:
        """0 for a board that was never published."""
        last = self.published.get(board_id)
        return 0 if last is None else last.version

    def _is_said_later(self, said: Disclosed) -> bool:
        known = self.disclosures.get(said.version_id)
        return known is None or _edit_of(known) < _edit_of(said)

    def _is_news(self, review: ReviewDecided) -> bool:
        known = self.reviews.get(review.job_id)
        return known is None or known.number < review.number


def _edit_of(said: Disclosed) -> int:
    """0 for what was said with the binding."""
    return said.number if isinstance(said, VersionChanged) else 0


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A result that passed the gate and whose last review approved exactly this result."""

    gate: GatePassed
    review: ReviewDecided

    @property
    def job_id(self) -> str:
        return self.gate.job_id


@dataclass(frozen=True, kw_only=True)
class BoardDraft:
    """What a board should hold, before anything was checked against the log. Candidates are in the board's order."""

    board_id: str
    track: Track
    release_id: str
    release_digest: str
    candidates: tuple[Candidate, ...]


def board_id_of(track: str, release_id: str, release_digest: str) -> str:
    """Two releases of one name (before and after a change) have boards of their own: their scores do not compare."""
    return f"{track}-{release_id[:50]}-{release_digest[:8]}"


def decide_boards(state: Approvals) -> tuple[BoardDraft, ...]:
    """One board for each (track, release) that has an approved result, or had one when it was last published."""
    scopes: dict[str, tuple[Track, str, str]] = {}
    approved: dict[str, list[Candidate]] = {}
    for gate in state.gates.values():
        subject = gate.subject
        board_id = board_id_of(subject.track, subject.release_id, subject.release_digest)
        scopes[board_id] = (subject.track, subject.release_id, subject.release_digest)
        review = state.reviews.get(gate.job_id)
        if review is not None and _is_approved(gate, review):
            approved.setdefault(board_id, []).append(Candidate(gate=gate, review=review))
    return tuple(
        BoardDraft(
            board_id=board_id,
            track=track,
            release_id=release_id,
            release_digest=release_digest,
            candidates=in_board_order(approved.get(board_id, ())),
        )
        for board_id, (track, release_id, release_digest) in sorted(scopes.items())
        if board_id in approved or board_id in state.published
    )


def _is_approved(gate: GatePassed, review: ReviewDecided) -> bool:
    """A gate passes no result without an Overall; were there one, it would have no place in an order."""
    result = gate.result
    has_score = result.overall is not None and result.interval is not None
    return publication_allowed(gate, (review,)).allowed and has_score


def in_board_order(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """By division, then the better score, then the earlier approval: never "newest wins"."""
    return tuple(
        sorted(
            candidates,
            key=lambda one: (
                DIVISION_ORDER.index(one.gate.subject.division),
                -(one.gate.result.overall or 0),
                one.review.at,
                one.job_id,
            ),
        )
    )


def ranks(scores: Sequence[int]) -> list[int]:
    """Competition ranks (1, 1, 3) of scores in descending order: the same score, the same rank."""
    found: list[int] = []
    for place, score in enumerate(scores, start=1):
        found.append(found[-1] if place > 1 and score == scores[place - 2] else place)
    return found


def board_of(
    draft: BoardDraft,
    positions: Mapping[str, LogPosition],
    *,
    version: int,
    comparable: bool,
    checkpoint: str,
) -> Board:
    """The board with those candidates that have a verified position in the log; ranks count within a division."""
    verified = [one for one in draft.candidates if one.job_id in positions]
    rows: list[BoardRow] = []
    for division in DIVISION_ORDER:
        members = [one for one in verified if one.gate.subject.division == division]
        places = ranks([one.gate.result.overall or 0 for one in members])
        rows += [_row(one, rank, positions[one.job_id]) for one, rank in zip(members, places, strict=True)]
    return Board(
        version=version,
        track=draft.track,
        release_id=draft.release_id,
        release_digest=draft.release_digest,
        comparable=comparable,
        checkpoint=checkpoint,
        rows=tuple(rows),
    )


def _row(one: Candidate, rank: int, position: LogPosition) -> BoardRow:
    result = one.gate.result
    assert result.overall is not None
    assert result.interval is not None
    return BoardRow(
        rank=rank,
        job_id=one.job_id,
        subject=one.gate.subject,
        overall=result.overall,
        interval=result.interval,
        datasets=tuple(BoardDataset(name=each.name, tally=each.overall) for each in result.datasets),
        add=result.add,
        search=result.search,
        context_tokens=result.context_tokens,
        checks=one.gate.checks,
        approved_at=one.review.at,
        log=position,
    )


def basis_of(candidates: Iterable[Candidate], *, comparable: bool) -> str:
    """What a board's content follows from: when it is unchanged, there is no reason for a new version."""
    hasher = hashlib.sha256(b"comparable" if comparable else b"apart")
    for one in candidates:
        hasher.update(f"\n{one.job_id} {one.gate.seal} {one.review.number}".encode())
    return hasher.hexdigest()
