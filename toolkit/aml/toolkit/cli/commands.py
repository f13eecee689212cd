"""Which commands there are: each one's module and place in it, by the person whom it is for."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

DEVELOPERS: Final = "Developers and CI: your own system on your own machine"
PARTICIPANTS: Final = "Participants: from an application to a published row"
REVIEWERS: Final = "Reviewers"
OPERATORS: Final = "Operators"
AUDITORS: Final = "Auditors: trust nobody"

COMMANDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "check": (DEVELOPERS, "check:check"),
        "run": (DEVELOPERS, "run:run"),
        "demo": (DEVELOPERS, "demo:demo"),
        "suite": (DEVELOPERS, "suite:app"),
        "longmemeval": (DEVELOPERS, "longmemeval:app"),
        "report": (DEVELOPERS, "report:report"),
        "apply": (PARTICIPANTS, "apply:apply"),
        "claim": (PARTICIPANTS, "apply:claim"),
        "smoke": (PARTICIPANTS, "order_job:smoke"),
        "full": (PARTICIPANTS, "order_job:full"),
        "watch": (PARTICIPANTS, "runs:watch"),
        "results": (PARTICIPANTS, "results:results"),
        "jobs": (PARTICIPANTS, "runs:jobs"),
        "quotas": (PARTICIPANTS, "runs:quotas"),
        "cancel": (PARTICIPANTS, "runs:cancel"),
        "resume": (PARTICIPANTS, "runs:resume"),
        "attest-deletion": (PARTICIPANTS, "deletion:attest_deletion"),
        "propose-benchmark": (PARTICIPANTS, "proposals:propose_benchmark"),
        "versions": (PARTICIPANTS, "versions:app"),
        "key": (PARTICIPANTS, "keys:app"),
        "memory-key": (PARTICIPANTS, "memory_key:app"),
        "access": (REVIEWERS, "access:app"),
        "review": (REVIEWERS, "review:app"),
        "proposals": (REVIEWERS, "proposals:app"),
        "deletions": (REVIEWERS, "deletion:deletions"),
        "up": (OPERATORS, "stack:up"),
        "status": (OPERATORS, "stack:status"),
        "down": (OPERATORS, "stack:down"),
        "operate": (OPERATORS, "operate:app"),
        "evidence": (OPERATORS, "evidence:app"),
        "ledger": (OPERATORS, "ledger_keys:app"),
        "projection": (OPERATORS, "projection:app"),
        "audit": (AUDITORS, "audit:app"),
        "judge": (AUDITORS, "judge:app"),
        "witness": (AUDITORS, "witness:app"),
    }
)
"""Name to person and place. In the order of the help."""
