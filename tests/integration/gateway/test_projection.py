"""What the gateway counts from the stream, whatever is delivered again or away."""

import asyncio
import uuid
from typing import Any

import httpx
import nats.js.errors
import psycopg
from tests.integration.gateway.callers import admitted, bearer, event_on, eventually, job_where, start_job
from tests.integration.gateway.gateway_process import Running
from tests.integration.gateway.played_services import finish

from aml.contracts.jobs import JobRequested
from aml.gateway.read_model.projection import ACK_WAIT_SECONDS, Projection
from aml.gateway.storage.database import Database
from aml.rules.identity import job_subject
from aml.runtime.bus import Bus
from aml.runtime.settings import DatabaseSettings


async def test_a_redelivered_stream_counts_nothing_twice(
    api: httpx.AsyncClient, bus: Bus, gateway: Running, gateway_database: str
) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()
    await finish(bus, participant, job, ["correct", "incorrect", "unscored"])
    before = await job_where(api, participant.key, job["job_id"], stage="ended")

    # when another consumer brings the whole stream again from its first event
    again, stop = uuid.uuid4().hex, asyncio.Event()
    database = Database(DatabaseSettings(url=gateway_database))
    await database.open()
    projecting = asyncio.create_task(Projection(bus, database, installation_id=again).run(stop))

    async def read_again() -> bool | None:
        try:
            info = await bus.js.consumer_info("AML", f"gateway-{again}")
        except nats.js.errors.NotFoundError:
            return None
        return True if info.num_pending == 0 and info.num_ack_pending == 0 else None

    await eventually(read_again, seconds=30)
    stop.set()
    await projecting
    await database.close()
    await bus.js.delete_consumer("AML", f"gateway-{again}")
    after = (await api.get(f"/jobs/{job['job_id']}", headers=bearer(participant.key))).json()
    assert after["counts"] == before["counts"]
    assert after["stages"] == before["stages"]
    assert after["retries"] == before["retries"]
    assert after["ended_at"] == before["ended_at"]


async def test_a_stopped_projection_gives_its_messages_back(
    api: httpx.AsyncClient, bus: Bus, gateway: Running, gateway_database: str
) -> None:
    participant = await admitted(api, gateway)
    await finish(bus, participant, (await start_job(api, participant)).json(), ["correct"])
    again = uuid.uuid4().hex

    async def state() -> tuple[int, int, int]:
        """(delivered and held, last one delivered, all acknowledged up to here)."""
        try:
            info = await bus.js.consumer_info("AML", f"gateway-{again}")
        except nats.js.errors.NotFoundError:
            return 0, 0, 0
        assert info.delivered is not None
        assert info.ack_floor is not None
        return info.num_ack_pending or 0, info.delivered.stream_seq, info.ack_floor.stream_seq

    async def holding() -> bool | None:
        return True if (await state())[0] > 0 else None

    async def taken_over() -> bool | None:
        return True if (await state())[2] >= held else None

    # given one that holds messages and has no database to fold them into
    stop, database = asyncio.Event(), Database(DatabaseSettings(url=gateway_database))
    projecting = asyncio.create_task(Projection(bus, database, installation_id=again).run(stop))
    await eventually(holding)
    _, held, floor = await state()
    assert floor < held
    stop.set()
    await projecting
    # when the next one takes over
    await database.open()
    stop = asyncio.Event()
    projecting = asyncio.create_task(Projection(bus, database, installation_id=again).run(stop))
    # then it waits for no timeout
    await eventually(taken_over, seconds=0.8 * ACK_WAIT_SECONDS)
    stop.set()
    await projecting
    await database.close()
    await bus.js.delete_consumer("AML", f"gateway-{again}")


async def test_lost_database_connections_lose_nothing(
    api: httpx.AsyncClient, bus: Bus, gateway: Running, gateway_database: str
) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()

    with psycopg.connect(gateway_database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    await finish(bus, participant, job, ["correct", "incorrect"])

    async def look() -> dict[str, Any] | None:
        answer = await api.get(f"/jobs/{job['job_id']}", headers=bearer(participant.key))
        assert answer.status_code in (200, 503), answer.text
        return answer.json() if answer.status_code == 200 and answer.json()["stage"] == "ended" else None

    counts = (await eventually(look, seconds=20))["counts"]
    assert (counts["scored"], counts["correct"], counts["incorrect"]) == (2, 1, 1)
    # and the outbox goes on, too
    next_job = (await start_job(api, participant)).json()
    assert isinstance(await event_on(bus, job_subject(next_job["job_id"], JobRequested)), JobRequested)
