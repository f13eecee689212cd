"""Jobs: created once, followed, driven again."""

import asyncio
import json
import uuid
from typing import Any

import httpx
from tests.integration.gateway.callers import (
    CHECKLIST,
    admitted,
    an_application,
    bearer,
    event_on,
    job_where,
    start_job,
)
from tests.integration.gateway.gateway_process import Running
from tests.integration.gateway.played_services import finish, planned

from aml.contracts.events import Event
from aml.contracts.jobs import JobCancelled, JobRequested
from aml.contracts.release import ReleaseLocked
from aml.contracts.units import UnitParked, UnitRequeued
from aml.rules.identity import EVERYTHING, job_subject
from aml.runtime.bus import Bus
from aml.runtime.follow import follow
from aml.runtime.publish_once import publish_once


async def test_one_active_job_a_key_and_track_even_under_double_clicks(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    participant = await admitted(api, gateway)

    answers = await asyncio.gather(*(start_job(api, participant) for _ in range(8)))

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    started = next(answer.json() for answer in answers if answer.status_code == 201)
    refusals = [answer.json()["detail"] for answer in answers if answer.status_code == 409]
    assert {(refusal["reason"], refusal["job_id"]) for refusal in refusals} == {("job_active", started["job_id"])}
    # a cancelled job frees the place, and its label stays taken
    cancelled = await api.post(f"/jobs/{started['job_id']}/cancel", headers=bearer(participant.key))
    assert cancelled.json()["state"] == "cancelled"
    assert isinstance(await event_on(bus, job_subject(started["job_id"], JobCancelled)), JobCancelled)
    taken = await start_job(api, participant, run_label=started["run_label"])
    assert (taken.status_code, taken.json()["detail"]["reason"]) == (409, "run_label_taken")
    assert (await start_job(api, participant)).status_code == 201


async def test_idempotency_key_replays_the_first_answer(api: httpx.AsyncClient, gateway: Running) -> None:
    application, header = an_application(), {"Idempotency-Key": uuid.uuid4().hex}

    first, *rest = await asyncio.gather(
        *(api.post("/access-requests", json=application, headers=header) for _ in range(5))
    )
    other = await api.post("/operator/keys", json={"role": "reviewer"}, headers=header | bearer(gateway.operator_key))
    reused = await api.post("/operator/keys", json={"role": "operator"}, headers=header | bearer(gateway.operator_key))

    assert first.status_code == 201
    assert all(answer.json() == first.json() for answer in rest)
    assert other.status_code == 201
    assert (reused.status_code, reused.json()["detail"]["reason"]) == (409, "idempotency_key_reused")


async def test_progress_streams_until_the_gate(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()
    snapshots: list[dict[str, Any]] = []

    async def listen() -> None:
        path = f"/jobs/{job['job_id']}/events"
        async with api.stream("GET", path, headers=bearer(participant.key), timeout=20) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            lines = [line async for line in stream.aiter_lines() if line.startswith("data: ")]
            snapshots.extend(json.loads(line.removeprefix("data: ")) for line in lines)

    listening = asyncio.create_task(listen())
    await asyncio.sleep(0.3)
    await finish(bus, participant, job, ["correct"])
    await asyncio.wait_for(listening, 15)

    assert snapshots[0]["state"] == "queued"
    assert snapshots[-1]["stage"] == "ended"


async def test_parked_units_are_driven_again(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    job_id = (await start_job(api, participant)).json()["job_id"]
    trigger = f"aml.v1.job.{job_id}.question_opened.abcd"
    await publish_once(bus, planned(job_id, 1))
    await publish_once(
        bus,
        UnitParked(
            at=1, job_id=job_id, unit="abcd-retrieval-1", stage="retrieval", trigger=trigger, error="Boom: unforeseen"
        ),
    )
    await job_where(api, participant.key, job_id, parked=1)
    operator = bearer(gateway.operator_key)
    parked = (await api.get(f"/operator/parked?job_id={job_id}", headers=operator)).json()["parked"]

    requeued = await api.post(f"/operator/jobs/{job_id}/requeue", headers=operator)

    assert [unit["error"] for unit in parked] == ["Boom: unforeseen"]
    assert requeued.json()["requeued"] == ["abcd-retrieval-1"]
    fact = await event_on(bus, job_subject(job_id, UnitRequeued, "abcd-retrieval-operator-1"))
    assert isinstance(fact, UnitRequeued)
    assert (fact.trigger, fact.stage) == (trigger, "retrieval")
    again = await api.post(f"/operator/jobs/{job_id}/requeue", headers=operator)
    assert (again.status_code, again.json()["detail"]["reason"]) == (409, "nothing_parked")


async def test_full_run_needs_its_checklist_and_stays_within_capacity(api: httpx.AsyncClient, gateway: Running) -> None:
    participant = await admitted(api, gateway)

    unticked = await start_job(api, participant, mode="full", checklist=CHECKLIST | {"contract_followed": False})
    greedy = await start_job(api, participant, add_concurrency=5)

    assert "contract_followed" in unticked.json()["detail"]["fields"][0]["problem"]
    assert greedy.json()["detail"]["fields"][0]["field"] == "add_concurrency"


async def test_releases_are_listed_and_locked(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    listed = {release["release_id"]: release for release in (await api.get("/releases")).json()["releases"]}
    seen: list[ReleaseLocked] = []
    caught_up = asyncio.Event()
    stop = asyncio.Event()

    def keep(event: Event) -> None:
        if isinstance(event, ReleaseLocked):
            seen.append(event)

    following = asyncio.create_task(
        follow(bus, filter_subjects=[EVERYTHING], apply=keep, stop=stop, caught_up=caught_up)
    )
    await asyncio.wait_for(caught_up.wait(), 10)
    stop.set()
    await following

    assert listed["practice"]["default"] is True
    locked = {(event.release_id, event.release_digest) for event in seen}
    assert {(name, release["digest"]) for name, release in listed.items()} <= locked


async def test_a_cancellation_that_comes_too_late_does_not_claim_to_have_cancelled(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()
    await event_on(bus, job_subject(job["job_id"], JobRequested))

    cancelling = asyncio.create_task(api.post(f"/jobs/{job['job_id']}/cancel", headers=bearer(participant.key)))
    await event_on(bus, job_subject(job["job_id"], JobCancelled))
    await finish(bus, participant, job, ["correct"])  # the ledger had everything before the cancellation
    answer = await cancelling

    assert (answer.status_code, answer.json()["detail"]["reason"]) == (409, "job_ended")
    assert (await job_where(api, participant.key, job["job_id"], stage="ended"))["state"] == "completed"


async def test_a_cancellation_that_no_seal_confirmed_is_an_order(api: httpx.AsyncClient, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()

    answer = await api.post(f"/jobs/{job['job_id']}/cancel", headers=bearer(participant.key))

    assert answer.status_code == 200
    assert (answer.json()["sealed"], answer.json()["stage"]) == (False, "aggregation")
