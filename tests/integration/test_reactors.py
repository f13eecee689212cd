"""A reactor whose handler fails for no foreseen reason: tried again, then given up in the open, and the next one has its turn."""

import asyncio
import uuid
from collections.abc import AsyncIterator

import pytest
from tests.factories.events import an_event

from aml.contracts.events import Event
from aml.contracts.jobs import JobRequested
from aml.runtime import reactors
from aml.runtime.bus import Bus
from aml.runtime.publish_once import publish_once
from aml.runtime.settings import NatsSettings


@pytest.fixture
async def bus(nats_url: str) -> AsyncIterator[Bus]:
    bus = Bus(NatsSettings(url=nats_url), name="test")
    await bus.connect()
    yield bus
    await bus.close()


async def test_what_cannot_be_decided_is_given_up_and_holds_up_nobody(
    bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reactors, "_BACKOFF_SECONDS", (0.05,))
    bad, good = (f"job-{uuid.uuid4().hex[:8]}" for _ in range(2))
    tries: list[str] = []
    given_up: list[tuple[str, str]] = []
    done = asyncio.Event()

    async def handle(event: Event) -> None:
        assert isinstance(event, JobRequested)
        if event.job_id == bad:
            tries.append(bad)
            raise KeyError("no such thing")
        if event.job_id == good:
            done.set()

    async def give_up(event: Event, error: Exception) -> None:
        assert isinstance(event, JobRequested)
        given_up.append((event.job_id, type(error).__name__))

    for job_id in (bad, good):
        await publish_once(bus, an_event(JobRequested, job_id=job_id))
    reactors.react(bus, JobRequested, durable=f"t-{uuid.uuid4().hex[:8]}", handle=handle, give_up=give_up)
    await bus.broker.start()
    async with asyncio.timeout(15):
        await done.wait()
        while not given_up:
            await asyncio.sleep(0.05)

    assert given_up == [(bad, "KeyError")]
    assert len(tries) == reactors.PATIENCE
