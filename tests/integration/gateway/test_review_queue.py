"""Which jobs a reviewer finds waiting, by state and origin."""

import uuid

import httpx
from tests.integration.gateway.callers import admitted, bearer, job_where, reviewer_key
from tests.integration.gateway.gateway_process import Running
from tests.integration.gateway.played_services import ended, planned
from tests.integration.gateway.reviewed_jobs import file_of, passed_job

from aml.runtime.bus import Bus
from aml.runtime.publish_once import publish_once


async def test_the_queue_by_state_and_origin(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    owner, reviewer = await admitted(api, gateway), await reviewer_key(api, gateway)
    job, _ = await passed_job(api, bus, owner)
    label = uuid.uuid4().hex
    order = {"system": "No memory", "arm": "no_memory", "mode": "full", "run_label": label}
    baseline = (await api.post("/operator/runs", json=order, headers=bearer(gateway.operator_key))).json()
    sealed, gate = ended(owner, baseline)
    for event in (planned(baseline["job_id"], 1), sealed, gate):
        await publish_once(bus, event)
    await job_where(api, gateway.operator_key, baseline["job_id"], gate="passed")

    async def queue(query: str) -> set[str]:
        answer = await api.get(f"/reviews?limit=500&{query}", headers=bearer(reviewer))
        assert answer.status_code == 200, answer.text
        return {item["job_id"] for item in answer.json()["reviews"]}

    waiting = await queue("")
    organisers = await queue("origin=organiser")
    assert job["job_id"] in waiting - organisers
    assert baseline["job_id"] in organisers - waiting
    file = await file_of(api, reviewer, baseline)
    assert (file["item"]["origin"], file["application"], file["duplicates"]) == ("organiser", None, [])

    decline = {"decision": "decline", "reason": "no code at this commit"}
    await api.post(f"/jobs/{job['job_id']}/review", json=decline, headers=bearer(reviewer))
    assert job["job_id"] not in await queue("state=open")
    assert job["job_id"] in await queue("state=decline")
    assert job["job_id"] in await queue("state=all")
    assert (await api.get("/reviews?state=nonsense", headers=bearer(reviewer))).status_code == 422
