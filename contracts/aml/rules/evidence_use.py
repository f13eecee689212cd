"""What the log says about evidence: which objects it cites, which jobs ended when, and whose evidence was destroyed."""

from dataclasses import dataclass, field

from aml.contracts.envelope import JobFact
from aml.contracts.events import Event
from aml.contracts.seals import JobSealed
from aml.contracts.shredding import EvidenceShredded

from .verify.citations import references


@dataclass
class EvidenceUse:
    """A fold over a log's events; `take` minds neither order nor repetition."""

    jobs: set[str] = field(default_factory=set)
    cited: dict[str, set[str]] = field(default_factory=dict)
    """By job, the digests."""
    ended: dict[str, int] = field(default_factory=dict)
    """By job, the time of its seal (Unix ms)."""
    shredded: set[str] = field(default_factory=set)

    def take(self, event: Event) -> None:
        if not isinstance(event, JobFact):
            return
        self.jobs.add(event.job_id)
        match event:
            case JobSealed():
                self.ended[event.job_id] = event.at
            case EvidenceShredded():
                self.shredded.add(event.job_id)
            case _:
                for _, ref in references(event):
                    self.cited.setdefault(event.job_id, set()).add(ref.digest)
