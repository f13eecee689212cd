"""CanaryPlanned → IsolationProbed: a fact for one user, searched for under another. Whatever happens, the run goes on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import structlog

from aml.contracts.fair_play import Canary, CanaryPlanned, IsolationProbed
from aml.contracts.participant import Memory
from aml.rules.fair_play import text_of
from aml.rules.identity import event_id, event_id_at, job_subject
from aml.runtime.bus import Bus
from aml.runtime.clock import Clock
from aml.runtime.evidence import EvidenceStore
from aml.runtime.lane import Delivery
from aml.runtime.open_jobs import OpenJobs
from aml.runtime.participant.errors import ParticipantError
from aml.runtime.participants import Participants
from aml.runtime.publish_once import publish_once

log = structlog.get_logger()


@dataclass(frozen=True)
class IsolationProber:
    bus: Bus
    evidence: EvidenceStore
    clock: Clock
    jobs: OpenJobs
    participants: Participants

    async def probe(self, planned: CanaryPlanned, delivery: Delivery) -> None:
        job = await self.jobs.get(planned.job_id)
        if job is None:
            return
        probed_at = job_subject(planned.job_id, IsolationProbed, planned.unit)
        if delivery.redelivered and await self.bus.last_event(probed_at) is not None:
            return
        canary = await self.evidence.open_json(planned.job_id, event_id(planned), planned.canary, Canary)
        client = await self.participants.client_of(job.requested)
        memories: tuple[Memory, ...] | None = None
        calls = 0
        try:
            calls += (await client.add(canary.request)).calls
            found = await client.search(canary.search)
            memories, calls = found.memories, calls + found.calls
        except ParticipantError as error:
            log.warning("canary.unanswered", job_id=planned.job_id, layer=error.layer)
            calls += error.calls
        probed = IsolationProbed(
            at=self.clock.now_ms(),
            job_id=planned.job_id,
            unit=planned.unit,
            sample=planned.sample,
            outcome=_outcome(canary, memories),
            returned=len(memories or ()),
            calls=calls,
            memories=None
            if memories is None
            else await self.evidence.put_json(planned.job_id, event_id_at(probed_at), memories),
        )
        await publish_once(self.bus, probed)


def _outcome(canary: Canary, memories: Sequence[Memory] | None) -> Literal["kept", "leaked", "unanswered"]:
    if memories is None:
        return "unanswered"
    name = canary.name.casefold()
    return "leaked" if any(name in text_of(memory.content).casefold() for memory in memories) else "kept"
