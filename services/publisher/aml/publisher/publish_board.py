"""From a change of the approved results to a board that is live.

The order makes every crash harmless: verify, render, write the version's folder, claim the version in the stream, swap.
Before the claim nothing happened that anyone can see. After it the folder lies on disk under the claimed digest, and the
next start finds and serves it. Where the folder was lost, or another publisher with a disk of its own won the claim, the
same bytes are made again from the log as it was at the claimed checkpoint.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import structlog

from aml.contracts.boards import BoardPublished
from aml.rules.checkpoint import VerifierKey
from aml.rules.witness_policy import WitnessPolicy
from aml.runtime.clock import Clock
from aml.runtime.publish_once import Published

from .collect_board import Approvals, BoardDraft, basis_of, board_of, decide_boards
from .errors import EntryPending
from .metrics import BOARDS_PUBLISHED, UNVERIFIED_ROWS
from .release_facts import ReleaseCatalogue, ReleaseFacts
from .render_board import NOWHERE, render_site
from .shown_board import ShownBoard, Surroundings, board_digest
from .swap_board import BoardFolder, StoredBoard
from .verify_draft import DraftVerifier, VerifiedDraft
from .verify_row import Log, SignedCheckpoint, Witnessing, accept_checkpoint, require_growth

log = structlog.get_logger()


class Facts(Protocol):
    """The stream's two verbs that a publication needs."""

    async def publish_once(self, event: BoardPublished) -> Published: ...

    async def standing(self, event: BoardPublished) -> BoardPublished | None:
        """The fact that stands in the place of `event`."""
        ...


class BoardPublisher:
    def __init__(
        self,
        *,
        state: Approvals,
        facts: Facts,
        ledger: Log,
        folder: BoardFolder,
        releases: ReleaseCatalogue,
        read_key: Callable[[], VerifierKey],
        clock: Clock,
        read_policy: Callable[[], WitnessPolicy | None] = lambda: None,
        around: Surroundings = NOWHERE,
        patience_ms: int = 10_000,
    ) -> None:
        self._state = state
        self._facts = facts
        self._ledger = ledger
        self._folder = folder
        self._releases = releases
        self._read_key = read_key
        self._read_policy = read_policy
        self._clock = clock
        self._around = around
        self._patience_ms = patience_ms
        self._verifier = DraftVerifier(ledger)
        self._rendered: tuple[object, Path] | None = None
        self._pending_since: dict[str, int] = {}
        self._used: dict[int, str] | None = None
        """Size to root of the checkpoints that were used: before the start, those of the boards on disk."""
        self.problems: dict[str, str] = {}
        """Approved results that are kept off the board, by job, and why."""

    async def refresh(self) -> bool:
        """Brings the served board up to the state. False when it must be called again, since something is still open.

        Raises `LedgerUnavailable`, `CheckpointRejected`, `EntryPending` or a transient bus error: nothing changed then.
        """
        self.problems = {}
        shown: list[ShownBoard] = []
        claims: list[BoardPublished] = []
        for draft in decide_boards(self._state):
            board, claim = await self._next(draft)
            shown.append(board)
            claims += [claim] if claim is not None else []
        UNVERIFIED_ROWS.set(len(self.problems))
        shown.sort(key=lambda one: (not one.board.comparable, one.board_id))
        around = self._surroundings(shown)
        content = ([(one.title, board_digest(one.board)) for one in shown], around.disclosures)
        if (content, self._folder.current()) == self._rendered:
            return not self.problems
        version = await asyncio.to_thread(lambda: self._folder.stage(render_site(shown, around)))
        for claim in claims:
            if not await self._claim(claim):
                return False
        if version != self._folder.current():
            await asyncio.to_thread(self._folder.swap, version)
            log.info("board.swapped", version=version.name, boards=len(shown))
        self._rendered = (content, version)
        return not self.problems

    def _surroundings(self, shown: Sequence[ShownBoard]) -> Surroundings:
        """Of the disclosures only those of systems that are shown: nobody else has agreed to anything yet."""
        versions = {row.subject.version_id for one in shown for row in one.board.rows}
        return replace(
            self._around,
            disclosures={key: found for key, found in self._state.disclosures.items() if key in versions},
        )

    async def _claim(self, claim: BoardPublished) -> bool:
        """False when another publisher's version stands: its fact is on its way to the state, and counts."""
        if await self._facts.publish_once(claim) is Published.ALREADY:
            standing = await self._facts.standing(claim)
            if standing is None or standing.digest != claim.digest:
                log.info("board.claim_lost", board_id=claim.board_id, version=claim.version)
                return False
        BOARDS_PUBLISHED.inc()
        self._state.apply(claim)
        log.info("board.published", board_id=claim.board_id, version=claim.version, rows=claim.rows)
        return True

    async def _next(self, draft: BoardDraft) -> tuple[ShownBoard, BoardPublished | None]:
        """The board as it should be served, and the claim to make first if it is a new version."""
        release = self._releases.facts(draft.release_id, draft.release_digest, self._folder.served(draft.board_id))
        last = self._state.published.get(draft.board_id)
        stored = self._stored(draft, last)
        if stored is not None and stored.listed.basis == basis_of(draft.candidates, comparable=release.comparable):
            return _shown(stored, release.title), None
        verified = await self._verifier.verified(draft, await self._latest_checkpoint())
        self._note_problems(verified)
        basis = _basis(draft, verified, release)
        if stored is not None and stored.listed.basis == basis:
            return _shown(stored, release.title), None
        if last is not None and stored is None:
            again = await self._made_again(draft, last, release)
            if again is not None and again.basis == basis:
                return again, None
        version = self._state.version_of(draft.board_id) + 1
        board = _assembled(draft, verified, release, version)
        return board, BoardPublished(
            at=self._clock.now_ms(),
            board_id=draft.board_id,
            version=version,
            rows=len(board.board.rows),
            digest=board_digest(board.board),
            tree_size=verified.signed.size,
            root=verified.signed.root,
        )

    def _stored(self, draft: BoardDraft, last: BoardPublished | None) -> StoredBoard | None:
        if last is None:
            return None
        exact = self._folder.find(draft.board_id, last.version, last.digest)
        return exact or self._folder.find(draft.board_id, last.version, None)

    async def _made_again(self, draft: BoardDraft, last: BoardPublished, release: ReleaseFacts) -> ShownBoard | None:
        """A version that was published but is not on this disk. None when it held something else than the state has.

        Where the ledger has no checkpoint of that size any more, the rows are shown under its latest one: the same
        results with younger proofs, under the number that was published. Otherwise two publishers without a common disk
        would outbid each other for ever.
        """
        note = await self._ledger.checkpoint(last.tree_size)
        signed = self._accepted(note, [(last.tree_size, last.root)])
        verified = await self._verifier.verified(draft, signed)
        board = _assembled(draft, verified, release, last.version)
        if board_digest(board.board) == last.digest:
            return board
        if signed.size != last.tree_size and len(board.board.rows) == last.rows:
            log.warning("board.proofs_renewed", board_id=draft.board_id, version=last.version)
            return board
        return None

    async def _latest_checkpoint(self) -> SignedCheckpoint:
        """Never one that is older than the last one used, whoever lost what in between: the stream or the ledger."""
        used = self._used_before()
        known = [*((each.tree_size, each.root) for each in self._state.published.values()), *used.items()]
        signed = self._accepted(await self._ledger.checkpoint(), known)
        if known:
            size, root = max(known)
            await require_growth(self._ledger, signed, size=size, root=root)
        self._used = {signed.size: signed.root}
        return signed

    def _used_before(self) -> dict[int, str]:
        if self._used is None:
            origin = self._read_key().name  # a folder may still serve the boards of a log that was given up
            self._used = {each.size: each.root.hex() for each in self._folder.checkpoints() if each.origin == origin}
        return self._used

    def _accepted(self, note: str, known: Sequence[tuple[int, str]]) -> SignedCheckpoint:
        policy = self._read_policy()
        witnessing = Witnessing(policy=policy, now_s=self._clock.now_ms() // 1000) if policy is not None else None
        return accept_checkpoint(note, self._read_key(), known=known, witnessing=witnessing)

    def _note_problems(self, found: VerifiedDraft) -> None:
        """The ledger may be a moment behind the stream: it is given a while before a board goes out without the row."""
        now = self._clock.now_ms()
        for job_id, problem in found.rejected.items():
            log.error("board.row_rejected", job_id=job_id, problem=problem)
        self.problems |= found.rejected | found.pending
        for job_id in found.rows:
            self._pending_since.pop(job_id, None)
        for job_id in found.pending:
            if now - self._pending_since.setdefault(job_id, now) < self._patience_ms:
                raise EntryPending(job_id)


def _basis(draft: BoardDraft, verified: VerifiedDraft, release: ReleaseFacts) -> str:
    shown = [one for one in draft.candidates if one.job_id in verified.rows]
    return basis_of(shown, comparable=release.comparable)


def _shown(stored: StoredBoard, title: str) -> ShownBoard:
    return ShownBoard(
        board_id=stored.listed.board_id,
        title=title,
        basis=stored.listed.basis,
        board=stored.board,
        entries=stored.entries,
    )


def _assembled(draft: BoardDraft, verified: VerifiedDraft, release: ReleaseFacts, version: int) -> ShownBoard:
    return ShownBoard(
        board_id=draft.board_id,
        title=release.title,
        basis=_basis(draft, verified, release),
        board=board_of(
            draft,
            {job_id: row.position for job_id, row in verified.rows.items()},
            version=version,
            comparable=release.comparable,
            checkpoint=verified.signed.note,
        ),
        entries={job_id: row.entry for job_id, row in verified.rows.items()},
    )
