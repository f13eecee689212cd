"""An auditor's checks. `python -m aml.rules.verify BUNDLE KEY` runs them with the standard library, msgspec and cryptography."""

from .bundle import verify_bundle
from .claim import verify_claim
from .findings import AuditReport, BundleUnusable, CheckDone, Refusal
from .head import parse_keys
from .log_entries import LogInvalid, verify_entries, verify_entry

__all__ = [
    "AuditReport",
    "BundleUnusable",
    "CheckDone",
    "LogInvalid",
    "Refusal",
    "parse_keys",
    "verify_bundle",
    "verify_claim",
    "verify_entries",
    "verify_entry",
]
