"""What callers may send. Shapes and bounds only; what a field means for another one is decided beside the use case."""

from typing import Literal

from msgspec import Struct

from aml.contracts.envelope import Token
from aml.gateway.edge.text_bounds import Concurrency, Name, Prose


class Checklist(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every item must be true before a full run."""

    smoke_passed: bool = False
    contract_followed: bool = False
    run_instructions_complete: bool = False
    originality_disclosed: bool = False
    no_integrity_violations: bool = False


class JobOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    version_id: Token
    mode: Literal["smoke", "full"]
    run_label: Name
    add_concurrency: Concurrency | None = None
    """None for the version's declared capacity."""
    search_concurrency: Concurrency | None = None
    checklist: Checklist | None = None
    release_id: Token | None = None


class Cancellation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reason: Prose = "cancelled by its owner"


class Resumption(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    run_label: Name | None = None
    """None for the resumed job's label with a count behind it."""
