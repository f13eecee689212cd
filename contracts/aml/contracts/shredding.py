"""The end of a job's evidence."""

from typing import Literal

from .envelope import JobFact

ShredReason = Literal["retention", "request"]
"""The 30-day rule, or an operator's decision."""


class EvidenceShredded(
    JobFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="evidence_shredded.v1"
):
    """Key, nonces and ciphertexts of the job are destroyed. Its commitments stay as they are and open no more."""

    reason: ShredReason
