"""What callers are answered. Times are UTC (RFC 3339)."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

from .bodies import BenchmarkOrder
from .package_report import PackageReport

ProposalState = Literal["submitted", "more_asked", "accepted", "declined"]


class ProposalCreated(Struct, frozen=True, kw_only=True):
    proposal_id: str
    state: ProposalState
    proposal_token: str
    """Reads this proposal and sends its package, as the Bearer token. Keep it."""
    max_package_bytes: int


class Package(Struct, frozen=True, kw_only=True):
    name: str
    bytes: int
    sha256: str
    packaged_at: datetime
    report: PackageReport


class Decided(Struct, frozen=True, kw_only=True):
    number: int
    decision: str
    reason: str
    reviewer: str
    decided_at: datetime


class Proposal(Struct, frozen=True, kw_only=True):
    proposal_id: str
    state: ProposalState
    created_at: datetime
    key_id: str | None
    proposal: BenchmarkOrder
    package: Package | None
    decisions: tuple[Decided, ...]


class ProposalItem(Struct, frozen=True, kw_only=True):
    proposal_id: str
    state: ProposalState
    created_at: datetime
    key_id: str | None
    title: str
    organisation: str
    track: str
    license: str
    package_bytes: int | None
    """None: nothing was uploaded."""


class Proposals(Struct, frozen=True, kw_only=True):
    proposals: tuple[ProposalItem, ...]


class ProposalJudged(Struct, frozen=True, kw_only=True):
    proposal_id: str
    number: int
    decision: str
    state: ProposalState
