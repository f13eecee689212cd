"""Progress as events: nothing repeated and nothing lost over a reconnect, an end that stays an end, and stalls that say why."""

import asyncio
import json
from typing import Any

import httpx
from tests.integration.gateway.callers import Participant, admitted, bearer, job_where, start_job
from tests.integration.gateway.gateway_process import Running
from tests.integration.gateway.played_services import ended, planned, unit_events

from aml.contracts.units import UnitParked, UnitRequeued
from aml.runtime.bus import Bus
from aml.runtime.publish_once import publish_once


class Reader:
    """One connection to a job's stream."""

    def __init__(self, api: httpx.AsyncClient, participant: Participant, job_id: str) -> None:
        self._api = api
        self._path = f"/jobs/{job_id}/events"
        self._key = bearer(participant.key)
        self.ids: list[str] = []
        self.jobs: list[dict[str, Any]] = []

    async def read(self, *, events: int | None = None, last: str | None = None) -> int:
        """Until so many further events came, or until the stream's end. Returns the status."""
        wanted = None if events is None else len(self.jobs) + events
        headers = self._key | ({"Last-Event-ID": last} if last else {})
        async with self._api.stream("GET", self._path, headers=headers) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("id: "):
                    self.ids.append(line.removeprefix("id: "))
                if line.startswith("data: "):
                    self.jobs.append(json.loads(line.removeprefix("data: ")))
                    if len(self.jobs) == wanted:
                        break
            return stream.status_code


async def test_a_reader_that_comes_back_is_told_what_it_missed_and_nothing_twice(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()
    reader = Reader(api, participant, job["job_id"])
    async with asyncio.timeout(20):
        await reader.read(events=1)
        read = reader.ids[-1]

        # nothing happened: nothing is said again
        quiet = asyncio.create_task(reader.read(events=1, last=read))
        await asyncio.sleep(1.2)
        assert not quiet.done()
        # while nobody reads, something happens; then it is said at once
        quiet.cancel()
        await asyncio.gather(quiet, return_exceptions=True)
        await publish_once(bus, planned(job["job_id"], 2))
        await job_where(api, participant.key, job["job_id"], state="running")
        await reader.read(events=1, last=read)
        assert [seen["state"] for seen in reader.jobs] == ["queued", "running"]
        assert len(set(reader.ids)) == 2

        # and the end is told to whoever missed it, once
        for event in [*unit_events(job["job_id"], "u0", 0, "correct"), *ended(participant, job)]:
            await publish_once(bus, event)
        await job_where(api, participant.key, job["job_id"], stage="ended")
        await reader.read(last=reader.ids[-1])
        assert reader.jobs[-1]["stage"] == "ended"
        assert await reader.read(last=reader.ids[-1]) == 204


async def test_the_polling_form_says_the_same(api: httpx.AsyncClient, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()
    reader = Reader(api, participant, job["job_id"])

    await asyncio.wait_for(reader.read(events=1), 10)
    polled = (await api.get(f"/jobs/{job['job_id']}", headers=bearer(participant.key))).json()

    assert reader.jobs[0] == polled
    assert polled["queue_place"] >= 1


async def test_parked_units_stall_a_job_until_its_owner_resumes_it(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    participant = await admitted(api, gateway)
    job_id = (await start_job(api, participant)).json()["job_id"]
    trigger = f"aml.v1.job.{job_id}.question_opened.abcd"
    await publish_once(bus, planned(job_id, 1))
    await publish_once(
        bus,
        UnitRequeued(
            at=1, job_id=job_id, unit="abcd-retrieval-1", stage="retrieval", requeue=1, trigger=trigger,
            reason="transport", detail="connection refused", not_before=0, attempt_log=None,
        ),
    )  # fmt: skip
    await publish_once(
        bus, UnitParked(at=1, job_id=job_id, unit="abcd-retrieval-2", stage="retrieval", trigger=trigger, error="Boom")
    )
    stalled = await job_where(api, participant.key, job_id, parked=1)

    resumed = await api.post(f"/jobs/{job_id}/resume", headers=bearer(participant.key))

    assert (stalled["stalled"]["reason"], stalled["requeued"]) == ("parked", 1)
    assert resumed.status_code == 201, resumed.text
    assert (resumed.json()["how"], resumed.json()["driven_again"]) == ("driven_again", ["abcd-retrieval-2"])
    assert resumed.json()["job"]["stalled"] is None
    again = await api.post(f"/jobs/{job_id}/resume", headers=bearer(participant.key))
    assert (again.status_code, again.json()["detail"]["reason"]) == (409, "job_active")
