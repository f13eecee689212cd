"""The contract doctor: asks a participant everything that the contract promises, and explains what it finds.

One library for `aml check` and for the platform's smoke, so that what passes at home passes there.
"""

from .check import Check, Finding
from .checks import CHECKS
from .examine import BUDGET_SECONDS, PATIENCE, examine, first_failure
from .visit import Connect, RestartFailed, Subject, Visit

__all__ = [
    "BUDGET_SECONDS",
    "CHECKS",
    "PATIENCE",
    "Check",
    "Connect",
    "Finding",
    "RestartFailed",
    "Subject",
    "Visit",
    "examine",
    "first_failure",
]
