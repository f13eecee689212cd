"""Messages are handed over by whatever reads the connection, in its own task; spoken to by a broker of a few lines."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import nats
import pytest
from nats.aio.client import Client

from aml.runtime.inbox import subscribe

INFO = b'INFO {"server_id":"s","version":"2.15.1","proto":1,"headers":true,"max_payload":1048576,"host":"h","port":4222}\r\n'


class Broker:
    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self._writer: asyncio.StreamWriter | None = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        writer.write(INFO)
        while line := await reader.readline():
            self.heard.append(line.strip())
            if line.startswith(b"PING"):
                writer.write(b"PONG\r\n")
        writer.close()

    def say(self, *payloads: bytes) -> None:
        """In one packet, to the first subscription."""
        assert self._writer is not None
        self._writer.write(b"".join(b"MSG in.x 1 %d\r\n%b\r\n" % (len(each), each) for each in payloads))


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[Broker, Client]]:
    broker = Broker()
    async with await asyncio.start_server(broker.serve, "127.0.0.1", 0) as server:
        client = await nats.connect(f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}", allow_reconnect=False)
        try:
            yield broker, client
        finally:
            await client.close()


async def until(count: int, of: list[bytes]) -> None:
    async with asyncio.timeout(2):
        while len(of) < count:
            await asyncio.sleep(0.001)


async def test_messages_come_one_after_another_and_the_subscription_stays_open() -> None:
    received: list[bytes] = []
    async with connected() as (broker, client):
        await subscribe(client, "in.*", lambda message: received.append(message.data))
        await client.flush()
        broker.say(b"1", b"2")
        await until(2, received)
        broker.say(b"3")
        await until(3, received)

    assert received == [b"1", b"2", b"3"]
    assert b"SUB in.*  1" in broker.heard


async def test_they_are_handed_over_by_what_reads_the_connection() -> None:
    tasks: list[asyncio.Task[None] | None] = []
    async with connected() as (broker, client):
        await subscribe(client, "in.*", lambda _: tasks.append(asyncio.current_task()))
        await client.flush()
        broker.say(b"1", b"2")
        async with asyncio.timeout(2):
            while len(tasks) < 2:
                await asyncio.sleep(0.001)
        reading = client._reading_task

    assert tasks == [reading, reading]


async def test_nothing_comes_after_the_end_of_the_subscription() -> None:
    received: list[bytes] = []
    async with connected() as (broker, client):
        subscription = await subscribe(client, "in.*", lambda message: received.append(message.data))
        await client.flush()
        await subscription.unsubscribe()
        broker.say(b"late")
        await client.flush()

    assert received == []


@pytest.mark.parametrize("subject", ["", "a b"])
async def test_a_subject_that_cannot_be_is_refused(subject: str) -> None:
    async with connected() as (_, client):
        with pytest.raises(nats.errors.BadSubjectError):
            await subscribe(client, subject, lambda _: None)
