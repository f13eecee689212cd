"""What becomes of a job's evidence and of its data."""

from tests.factories.events.places import AT, JOB, a_digest

from aml.contracts.deletion import DeletionAttested
from aml.contracts.events import Event
from aml.contracts.shredding import EvidenceShredded

CUSTODY: tuple[Event, ...] = (
    EvidenceShredded(at=AT, job_id=JOB, reason="retention"),
    DeletionAttested(at=AT, job_id=JOB, key_id="key-1", statement=a_digest("statement")),
)
