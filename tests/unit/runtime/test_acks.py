"""Acknowledgements are gathered, and none is forgotten."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import nats.errors
import pytest

from aml.runtime.acks import GATHER_SECONDS, Acks
from aml.runtime.bus import Bus


class Client:
    def __init__(self) -> None:
        self.sent: list[str] = []
        self.away = False

    async def publish(self, reply: str) -> None:
        if self.away:
            raise nats.errors.ConnectionClosedError
        self.sent.append(reply)


@pytest.fixture
def client() -> Client:
    return Client()


def acks_of(client: Client, group: int) -> Acks:
    bus: Any = SimpleNamespace(client=client)
    return Acks(cast("Bus", bus), group=group)


async def test_a_group_goes_at_once(client: Client) -> None:
    acks = acks_of(client, 3)
    for reply in "abc":
        assert client.sent == []
        acks.add(reply)
    await asyncio.sleep(0)
    assert client.sent == ["a", "b", "c"]


async def test_fewer_go_a_moment_later(client: Client) -> None:
    acks = acks_of(client, 3)
    acks.add("a")
    acks.add("b")
    await asyncio.sleep(0)
    assert client.sent == []
    await asyncio.sleep(GATHER_SECONDS * 3)
    assert client.sent == ["a", "b"]


async def test_a_later_one_gets_its_own_moment(client: Client) -> None:
    acks = acks_of(client, 3)
    for reply in "ab":
        acks.add(reply)
        await asyncio.sleep(GATHER_SECONDS * 3)
    assert client.sent == ["a", "b"]


async def test_who_leaves_sends_what_there_is_and_once(client: Client) -> None:
    acks = acks_of(client, 3)
    acks.add("a")
    await acks.send()
    await asyncio.sleep(GATHER_SECONDS * 3)
    assert client.sent == ["a"]


async def test_a_broker_that_is_away_stops_nobody(client: Client) -> None:
    acks = acks_of(client, 1)
    client.away = True
    acks.add("a")
    await acks.send()
    client.away = False
    acks.add("b")
    await asyncio.sleep(0)
    assert client.sent == ["b"]
