"""The gateway's tables as its statements know them. The migrations make them; a test holds the two together.

Defaults and constraints stand in the migrations alone: nothing here creates a table.
"""

from .access_tables import access_request, api_key, former_key, retired_secret, system_version
from .donation_tables import benchmark_proposal, proposal_decision
from .edge_tables import idempotency, installation, outbox, release_lock
from .job_tables import fact, job, job_progress, parked, unit
from .review_tables import board, deletion_attestation, job_result, review, review_note, reviewer_link
from .schema import metadata

__all__ = [
    "access_request",
    "api_key",
    "benchmark_proposal",
    "board",
    "deletion_attestation",
    "fact",
    "former_key",
    "idempotency",
    "installation",
    "job",
    "job_progress",
    "job_result",
    "metadata",
    "outbox",
    "parked",
    "proposal_decision",
    "release_lock",
    "retired_secret",
    "review",
    "review_note",
    "reviewer_link",
    "system_version",
    "unit",
]
