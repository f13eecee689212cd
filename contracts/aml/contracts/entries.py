"""The log's entry: the exact shape whose canonical bytes are a leaf of the Merkle tree. Never changed, only succeeded."""

import msgspec
from msgspec import Struct

from .envelope import Count, Digest


class LogEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="log_entry.v1"):
    """One fact at its place in the log, chained to the fact of the same job before it.

    The members stand in the order of the canonical form (RFC 8785), so that encoding needs no sorting.
    """

    event: msgspec.Raw
    """The event's canonical bytes, unchanged as its producer published them."""
    event_id: str
    """UUIDv5 of the event's natural key; derived, and here so that an entry can be found by it."""
    index: Count
    """Position in the whole log, from 0, without gaps."""
    job_seq: Count | None
    """Position among the entries of the event's job, from 0, without gaps; None for a fact of no job."""
    prev: Digest | None
    """Leaf hash of the job's entry before; None for the job's first entry and for a fact of no job."""
