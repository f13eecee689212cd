"""Jobs that wait for a review, and the files that reviewers read of them."""

import base64
import hashlib
from typing import Any

import httpx
from msgspec.structs import replace
from tests.integration.gateway.callers import Participant, bearer, job_where, start_job
from tests.integration.gateway.played_services import ended, planned

from aml.contracts.seals import GatePassed, OutcomeSketch
from aml.runtime.bus import Bus
from aml.runtime.publish_once import publish_once

Job = dict[str, Any]


async def passed_job(
    api: httpx.AsyncClient, bus: Bus, participant: Participant, marks: bytes | None = None
) -> tuple[Job, GatePassed]:
    """A job that the gate passed; with `marks`, with a sketch of how its questions went."""
    job: Job = (await start_job(api, participant)).json()
    sealed, gate = ended(participant, job)
    assert isinstance(gate, GatePassed)
    if marks is not None:
        exact, units = hashlib.sha256(marks).hexdigest(), "e" * 64
        sketch = OutcomeSketch(questions=len(marks), units=units, exact=exact, marks=base64.b64encode(marks).decode())
        gate = replace(gate, sketch=sketch)
    for event in (planned(job["job_id"], 1), sealed, gate):
        await publish_once(bus, event)
    await job_where(api, participant.key, job["job_id"], gate="passed")
    return job, gate


async def file_of(api: httpx.AsyncClient, key: str, job: Job) -> dict[str, Any]:
    answer = await api.get(f"/reviews/{job['job_id']}", headers=bearer(key))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())
