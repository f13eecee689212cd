"""What the contract doctor found out about a participant: one fact for a smoke job, and the report behind it."""

from typing import Literal

from msgspec import Struct

from .envelope import Count, EvidenceRef, JobFact, Micros, Millis, Token
from .vocabulary import Track

CheckOutcome = Literal["passed", "failed", "warning", "skipped"]
"""`failed` breaks the contract; `warning` informs and stops nobody; `skipped` says nothing about the participant."""


class CheckResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Token
    outcome: CheckOutcome
    code: Token
    """`ok`, the layer of the call that failed (`schema`, `echo`, …), or the check's own word for what it found."""


class ContractChecked(
    JobFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="contract_checked.v1"
):
    passed: bool
    """No check failed. Warnings do not count."""
    checks: tuple[CheckResult, ...]
    """In the order in which they ran."""
    report: EvidenceRef
    """A `DoctorReport`."""


class CheckReport(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One check for people. Every text is bounded, printable and free of secrets."""

    name: Token
    title: str
    outcome: CheckOutcome
    code: Token
    finding: str
    """One sentence: what was wrong, or what was measured."""
    sent: str
    """The call that the finding is about."""
    received: str
    why: str
    mend: str
    """Empty where there is nothing to mend."""
    calls: Count
    latency: Micros | None
    """Of the call that the finding is about."""
    took: Micros
    """The whole check."""


class DoctorReport(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    contract: str
    """The version of the participant contract that was checked."""
    track: Track
    run: str
    """Part of every id that was sent, so that the participant can find, and delete, what the doctor wrote."""
    started: Millis
    took: Micros
    passed: bool
    checks: tuple[CheckReport, ...]
