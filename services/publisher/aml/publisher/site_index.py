"""`boards.json`: what a site holds. Readers find the boards by it; the publisher finds out what is on disk."""

from msgspec import Struct

from aml.contracts.envelope import Count, Digest, Token
from aml.contracts.vocabulary import Track


class SiteBoard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One board; its files are `<board_id>.html`, `.json` and `.csv`."""

    board_id: Token
    title: str
    track: Track
    release_id: Token
    release_digest: Digest
    comparable: bool
    version: Count
    rows: Count
    digest: Digest
    """SHA-256 of `<board_id>.json`, as `BoardPublished` states it."""
    basis: Digest
    """What the rows follow from (`collect_board.basis_of`)."""


class SiteIndex(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    boards: tuple[SiteBoard, ...]

    @property
    def number(self) -> int:
        """Grows by one with every publication of any of its boards, so it orders the sites of all publishers."""
        return sum(board.version for board in self.boards)
