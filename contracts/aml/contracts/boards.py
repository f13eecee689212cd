"""Review decisions and the public board's shapes."""

from msgspec import Struct

from .envelope import Count, Digest, Fact, JobFact, Millionths, Millis, Token
from .seals import Decision, GateCheck, Interval, Latencies, RowSubject, Tally
from .vocabulary import Track


class ReviewDecided(
    JobFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="review_decided.v1"
):
    """Decision number `number` about a job's result, counted from 1. The last one stands."""

    number: Count
    decision: Decision
    reviewer: str
    reason: str
    seal: Digest
    """The result that was reviewed, by its seal."""


class BoardDataset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Token
    tally: Tally


class LogPosition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the ledger holds the row's GatePassed entry, and what proves it."""

    index: Count
    leaf: Digest
    tree_size: Count
    root: Digest
    proof: tuple[Digest, ...]
    """RFC 6962 audit path from the leaf to the root, leaf's sibling first."""


class BoardRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rank: Count
    """Shared by rows of the same score; earlier publication is listed first."""
    job_id: Token
    subject: RowSubject
    overall: Millionths
    interval: Interval
    datasets: tuple[BoardDataset, ...]
    add: Latencies
    search: Latencies
    context_tokens: Count
    checks: tuple[GateCheck, ...]
    approved_at: Millis
    log: LogPosition


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`board.json`. Tracks and releases are never mixed; divisions are tables of one track."""

    version: Count
    track: Track
    release_id: Token
    release_digest: Digest
    comparable: bool
    checkpoint: str
    """The signed note that all `log` positions refer to."""
    rows: tuple[BoardRow, ...]


class BoardPublished(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="board_published.v1"
):
    """Version `version` of a board went live. The subject holds the version, so that of two publishers one loses."""

    board_id: Token
    version: Count
    rows: Count
    digest: Digest
    """SHA-256 of `board.json`."""
    tree_size: Count
    root: Digest
