"""Every append hears its own answer, or that none came."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import nats.errors
import nats.js.errors
import pytest
from nats.aio.client import Client

from aml.runtime import appends
from aml.runtime.appends import Appends

STORED = b'{"stream":"AML","seq":7}'
STANDS = b'{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 3"}}'
FULL = b'{"error":{"code":503,"err_code":10077,"description":"maximum bytes exceeded"}}'


class Broker:
    """Takes what is published; `answer` speaks when the test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, bytes, str, dict[str, str]]] = []
        self.receive: Any = None
        self.closed_after: int | None = None

    def new_inbox(self) -> str:
        return "_INBOX.x"

    async def subscribe(self, subject: str, *, future: Any) -> None:
        assert subject == "_INBOX.x.*"
        self.receive = future.set_result

    async def publish(self, subject: str, data: bytes, reply: str, headers: dict[str, str]) -> None:
        if len(self.asked) == self.closed_after:
            raise nats.errors.ConnectionClosedError
        self.asked.append((subject, data, reply, headers))

    def answer(self, number: int, data: bytes) -> None:
        self.receive(SimpleNamespace(subject=self.asked[number][2], data=data))


@pytest.fixture
async def broker() -> Broker:
    return Broker()


async def appends_of(broker: Broker, timeout_seconds: float = 5.0) -> Appends:
    made = Appends(cast("Client", broker), timeout_seconds=timeout_seconds)
    await made.listen()
    return made


async def begun(made: Appends, *subjects: str) -> list[asyncio.Task[bool]]:
    tasks = [asyncio.create_task(made.append(subject, subject.encode())) for subject in subjects]
    await asyncio.sleep(0)
    return tasks


async def test_only_an_empty_subject_is_appended_to(broker: Broker) -> None:
    (task,) = await begun(await appends_of(broker), "s.1")
    subject, data, _, headers = broker.asked[0]
    assert (subject, data, headers) == ("s.1", b"s.1", {"Nats-Expected-Last-Subject-Sequence": "0"})
    broker.answer(0, STORED)
    assert await task is True


async def test_answers_in_any_order_reach_who_asked(broker: Broker) -> None:
    one, two = await begun(await appends_of(broker), "s.1", "s.2")
    broker.answer(1, STANDS)
    broker.answer(0, STORED)
    assert (await one, await two) == (True, False)


async def test_another_refusal_is_an_error(broker: Broker) -> None:
    (task,) = await begun(await appends_of(broker), "s.1")
    broker.answer(0, FULL)
    with pytest.raises(nats.js.errors.ServiceUnavailableError):
        await task


async def test_nobody_who_keeps_the_subject_is_an_error(broker: Broker) -> None:
    (task,) = await begun(await appends_of(broker), "s.1")
    broker.answer(0, b"")
    with pytest.raises(nats.js.errors.NoStreamResponseError):
        await task


async def test_who_hears_nothing_hears_that(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(appends, "_SWEEP_SECONDS", 0.01)
    made = await appends_of(broker, timeout_seconds=0.02)
    (late,) = await begun(made, "s.1")
    with pytest.raises(nats.errors.TimeoutError):
        await late
    broker.answer(0, STORED)  # too late for anybody
    (task,) = await begun(made, "s.2")
    broker.answer(1, STORED)
    assert await task is True


async def test_who_left_is_forgotten(broker: Broker) -> None:
    one, two = await begun(await appends_of(broker), "s.1", "s.2")
    one.cancel()
    await asyncio.sleep(0)
    broker.answer(0, STORED)
    broker.answer(1, STORED)
    assert await two is True
    assert one.cancelled()


MANY = [("s.1", b"1"), ("s.2", b"2"), ("s.3", b"3")]


async def test_many_are_under_way_at_once_and_each_hears_its_own_answer(broker: Broker) -> None:
    made = await appends_of(broker)
    task = asyncio.create_task(made.append_all(MANY))
    await asyncio.sleep(0)
    assert [(subject, data) for subject, data, _, _ in broker.asked] == MANY
    broker.answer(2, STORED)
    broker.answer(1, STANDS)
    broker.answer(0, STORED)
    assert await task == [True, False, True]


async def test_one_refusal_of_many_is_an_error_and_the_others_are_over(broker: Broker) -> None:
    made = await appends_of(broker)
    task = asyncio.create_task(made.append_all(MANY))
    await asyncio.sleep(0)
    broker.answer(0, STORED)
    broker.answer(1, FULL)
    broker.answer(2, STORED)
    with pytest.raises(nats.js.errors.ServiceUnavailableError):
        await task


async def test_many_to_a_broker_that_says_nothing_are_one_error(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appends, "_SWEEP_SECONDS", 0.01)
    made = await appends_of(broker, timeout_seconds=0.02)
    with pytest.raises(nats.errors.TimeoutError):
        await made.append_all(MANY)


async def test_a_connection_that_closes_midway_ends_them_all(broker: Broker) -> None:
    made = await appends_of(broker)
    broker.closed_after = 2
    with pytest.raises(nats.errors.ConnectionClosedError):
        await made.append_all(MANY)
    broker.answer(0, STORED)  # nobody waits for it any more
    broker.closed_after = None
    (task,) = await begun(made, "s.9")
    broker.answer(2, STORED)
    assert await task is True
