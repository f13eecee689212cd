"""What a site is made of: the boards, and what stands around them that no board holds."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from aml.contracts.access import Disclosed
from aml.contracts.boards import Board, BoardRow
from aml.contracts.cycle import Cycle, CycleTrack
from aml.contracts.release import Release
from aml.contracts.seals import GatePassed
from aml.rules.capability_scores import CapabilityScore, capability_scores
from aml.rules.entry import read_entry

Files = dict[str, bytes]
"""Path inside the site (with `/`) to content."""


@dataclass(frozen=True, kw_only=True)
class ShownBoard:
    board_id: str
    title: str
    basis: str
    board: Board
    entries: Mapping[str, str]
    """The log entry of every row's gate, by job: the text that its leaf is the hash of."""

    @cached_property
    def gates(self) -> dict[str, GatePassed]:
        """By job, read from the entries."""
        found = {}
        for job_id, entry in self.entries.items():
            event = read_entry(entry.encode()).event
            assert isinstance(event, GatePassed)
            found[job_id] = event
        return found

    @cached_property
    def capabilities(self) -> dict[str, tuple[CapabilityScore, ...]]:
        return {job_id: capability_scores(gate.result) for job_id, gate in self.gates.items()}


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    cycles: tuple[Cycle, ...] = ()
    """The one that opened last first."""
    releases: Mapping[str, Release] = field(default_factory=dict)
    """Those that the cycles name and that are installed."""
    disclosures: Mapping[str, Disclosed] = field(default_factory=dict)
    """By version. As the gateway stated them; unlike a row they are not proven from the log."""
    url: str | None = None
    """Where the site is served, without a final slash; None where that is not said."""

    def disclosure(self, row: BoardRow) -> Disclosed | None:
        found = self.disclosures.get(row.subject.version_id)
        return found if found is not None and found.key_id == row.subject.key_id else None

    def cycle_of(self, board: Board) -> Cycle | None:
        """The latest cycle whose track runs under the board's release."""
        return next((each for each in self.cycles if any(is_track_of(track, board) for track in each.tracks)), None)

    def organisation(self, row: BoardRow) -> str | None:
        found = self.disclosure(row)
        return found.organisation if found is not None else None


def is_track_of(track: CycleTrack, board: Board) -> bool:
    return (track.track, track.release_id) == (board.track, board.release_id)


def board_json(board: Board) -> bytes:
    """`board.json`: sorted names, integers only, so these are its RFC 8785 bytes."""
    return msgspec.json.encode(board, order="sorted")


def board_digest(board: Board) -> str:
    return hashlib.sha256(board_json(board)).hexdigest()
