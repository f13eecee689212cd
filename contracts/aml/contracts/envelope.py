"""What every event has: a tag with a version, a scope, and the time at which it became a fact.

The event's id is not a field. It is derived from the natural key (`aml.rules.identity.event_id`), so it can never
disagree with the event that carries it.
"""

from typing import Annotated

from msgspec import Meta, Struct

Token = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,80}(?!\n)$")]
"""One token of a NATS subject: an id or the short hash of a unit's key.

The look-ahead: Python's `$` also matches before a final line break, which would end the subject early.
"""

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?!\n)$")]
"""SHA-256, lower-case hex."""

MAX_INTEGER = 2**53 - 1
"""The largest integer of the canonical form (RFC 8785, I-JSON): the ledger refuses what is beyond."""

Millis = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
"""Unix time in milliseconds, UTC."""

Micros = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
"""A duration in microseconds."""

Millionths = Annotated[int, Meta(ge=0, le=1_000_000)]
"""A fraction between 0 and 1, times 1,000,000: the ledger's canonical form has no floats."""

Count = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]


class EvidenceRef(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Points at a payload in the evidence store. `digest` is a hiding commitment (`aml.rules.commitment`), not a bare hash."""

    digest: Digest
    size: Count
    """Bytes of the payload before compression and encryption."""
    media_type: str


class Fact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Root of all events. `at` is when the producing service decided it, and decides nothing itself."""

    at: Millis


class JobFact(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """An event of one job. Its subject is `aml.v1.job.<job_id>.<event>[.<unit>]`."""

    job_id: Token


class UnitFact(JobFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """An event about one unit of work of a job. The stream holds at most one such fact for a (job, type, unit)."""

    unit: Token
