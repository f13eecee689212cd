"""How one of the gate's checks ends: passed, or refused with a code."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from aml.contracts.seals import GateCheck

ENTRIES_NAMED = 20
TEXT_LIMIT = 300


@dataclass(frozen=True)
class Finding:
    """Why a check does not pass."""

    code: str
    expected: str
    found: str
    entries: Sequence[int] = field(default=())


def passed(name: str, expected: str, found: str, entries: Sequence[int] = ()) -> GateCheck:
    return _check(name, Finding("ok", expected, found, entries), True)


def refused(name: str, finding: Finding) -> GateCheck:
    return _check(name, finding, False)


def noted(name: str, finding: Finding) -> GateCheck:
    """Passed, with a code that the reviewer is to read."""
    return _check(name, finding, True)


def equal(name: str, code: str, expected: object, found: object, entries: Sequence[int] = ()) -> GateCheck:
    """Passed when the two are equal, and refused with `code` when not."""
    same = expected == found
    return _check(name, Finding("ok" if same else code, str(expected), str(found), entries), same)


def _check(name: str, finding: Finding, ok: bool) -> GateCheck:
    return GateCheck(
        name=name,
        passed=ok,
        code=finding.code,
        expected=finding.expected[:TEXT_LIMIT],
        found=finding.found[:TEXT_LIMIT],
        entries=tuple(finding.entries[:ENTRIES_NAMED]),
    )
