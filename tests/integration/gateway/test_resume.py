"""A job that ended is taken up again by a new one, under the same rules."""

import asyncio
import uuid

import httpx
from tests.integration.gateway.callers import admitted, bearer, job_where, start_job
from tests.integration.gateway.gateway_process import Running
from tests.integration.gateway.played_services import finish, planned

from aml.contracts.jobs import JobFailed
from aml.runtime.bus import Bus
from aml.runtime.publish_once import publish_once


async def test_a_failed_job_is_ordered_again_and_names_what_it_resumes(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    participant = await admitted(api, gateway)
    key = bearer(participant.key)
    first = (await start_job(api, participant, run_label="spring", search_concurrency=2)).json()
    early = await api.post(f"/jobs/{first['job_id']}/resume", headers=key)
    await publish_once(bus, planned(first["job_id"], 1))
    failed = JobFailed(
        at=1, job_id=first["job_id"], stage="ingest", reason="contract", detail="no success", attempt_log=None
    )
    await publish_once(bus, failed)
    await job_where(api, participant.key, first["job_id"], state="failed")
    header = key | {"Idempotency-Key": uuid.uuid4().hex}

    answers = await asyncio.gather(*(api.post(f"/jobs/{first['job_id']}/resume", headers=header) for _ in range(4)))

    assert (early.status_code, early.json()["detail"]["reason"]) == (409, "job_active")
    assert {answer.status_code for answer in answers} == {201}, answers[0].text
    assert len({answer.json()["job"]["job_id"] for answer in answers}) == 1
    again = answers[0].json()["job"]
    assert (answers[0].json()["how"], again["resumes"]) == ("new_job", first["job_id"])
    assert (again["run_label"], again["mode"], again["search_concurrency"]) == ("spring (resumed 1)", "smoke", 2)
    # one at a time: it is the active one now
    busy = await api.post(f"/jobs/{first['job_id']}/resume", headers=key)
    assert (busy.status_code, busy.json()["detail"]["job_id"]) == (409, again["job_id"])
    # resumed once more, it counts on
    await api.post(f"/jobs/{again['job_id']}/cancel", headers=key)
    third = await api.post(f"/jobs/{again['job_id']}/resume", headers=key)
    assert third.json()["job"]["run_label"] == "spring (resumed 2)"


async def test_a_completed_job_and_another_ones_job_are_not_resumed(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    participant, stranger = await admitted(api, gateway), await admitted(api, gateway)
    job = (await start_job(api, participant)).json()
    await finish(bus, participant, job, ["correct"])
    await job_where(api, participant.key, job["job_id"], stage="ended")

    completed = await api.post(f"/jobs/{job['job_id']}/resume", headers=bearer(participant.key))
    strange = await api.post(f"/jobs/{job['job_id']}/resume", headers=bearer(stranger.key))

    assert (completed.status_code, completed.json()["detail"]["reason"]) == (409, "job_completed")
    assert (strange.status_code, strange.json()["detail"]["reason"]) == (404, "job_unknown")


async def test_labels_that_read_the_same_are_one(api: httpx.AsyncClient, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    first = (await start_job(api, participant, run_label="  caf\u00e9   run ")).json()
    await api.post(f"/jobs/{first['job_id']}/cancel", headers=bearer(participant.key))

    taken = await start_job(api, participant, run_label="cafe\u0301 \uff52un")
    unseen = await start_job(api, participant, run_label="\u200b\u2060")

    assert first["run_label"] == "caf\u00e9 run"
    assert (taken.status_code, taken.json()["detail"]["reason"]) == (409, "run_label_taken")
    assert unseen.status_code == 422
    assert unseen.json()["detail"]["fields"][0]["field"] == "run_label"


async def test_quotas_say_what_is_left(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    key = bearer(participant.key)
    job = (await start_job(api, participant)).json()

    busy = (await api.get("/quotas?track=textual", headers=key)).json()
    await api.post(f"/jobs/{job['job_id']}/cancel", headers=key)  # before its first Add: it cost nothing
    free = (await api.get("/quotas", headers=key)).json()
    unknown = await api.get("/quotas?track=coding", headers=key)

    (smoke, full) = busy["quotas"]
    assert (smoke["mode"], smoke["used"], smoke["used_in_hour"], smoke["reason"]) == ("smoke", 1, 1, "job_active")
    assert (full["possible_now"], full["active_job_id"]) == (False, job["job_id"])
    assert [(each["used"], each["possible_now"]) for each in free["quotas"]] == [(0, True), (0, True)]
    assert unknown.status_code == 422
