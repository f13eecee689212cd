"""What the projection makes of messages that it cannot read."""

import asyncio
from typing import Any, cast

import pytest
from nats.aio.msg import Msg
from tests.factories.events import EXAMPLES

from aml.contracts.events import encode_event
from aml.contracts.units import ChunkAdded
from aml.gateway.read_model.projection import Projection, decode_known
from aml.rules.upcast import UnknownEventVersion

KNOWN = EXAMPLES[ChunkAdded]
UNKNOWN = b'{"type":"chunk_added.v9","at":1}'


class FakeClient:
    def __init__(self) -> None:
        self.answers: list[tuple[str, bytes]] = []

    async def publish(self, reply: str, word: bytes) -> None:
        self.answers.append((reply, word))


class FakeBus:
    def __init__(self) -> None:
        self.client = FakeClient()


class FakeConsumer:
    """Hands on what it is given and waits to be halted."""

    def __init__(self, projection: Projection, *bodies: bytes) -> None:
        self._projection = projection
        self._bodies = bodies
        self.halted = False

    async def consume(self, halt: asyncio.Event) -> None:
        for number, body in enumerate(self._bodies):
            self._projection._collect(a_message(body, str(number)))
        await halt.wait()
        self.halted = True


def a_message(body: bytes, reply: str = "") -> Msg:
    return Msg(_client=cast("Any", None), subject="aml.v1.x", reply=reply, data=body)


def test_what_is_no_event_is_left_to_the_ledger() -> None:
    assert decode_known([a_message(b"noise"), a_message(encode_event(KNOWN)), a_message(b"{}")]) == [KNOWN]


def test_an_unknown_version_is_never_skipped() -> None:
    with pytest.raises(UnknownEventVersion, match=r"chunk_added\.v9"):
        decode_known([a_message(encode_event(KNOWN)), a_message(UNKNOWN)])


async def test_it_stops_the_projection_which_says_so_and_gives_everything_back() -> None:
    bus, halted, stop = FakeBus(), {}, asyncio.Event()
    projection = Projection(cast("Any", bus), cast("Any", None), installation_id="x", halted=halted)
    consumer = FakeConsumer(projection, encode_event(KNOWN), UNKNOWN)
    projection._consumer = cast("Any", consumer)

    running = asyncio.create_task(projection.run(stop))
    async with asyncio.timeout(2):
        while not consumer.halted:
            await asyncio.sleep(0.01)

    assert "chunk_added.v9" in halted["projection"]
    assert bus.client.answers == [("0", b"-NAK"), ("1", b"-NAK")]
    assert not running.done()
    stop.set()
    await running
