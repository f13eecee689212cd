"""As many large bodies are read at once as there are places."""

import asyncio

from tests.unit.runtime.participant.called_server import LIMITS, Server, calling, told

from aml.contracts.participant import CallLimits
from aml.runtime.participant import connections as kept_connections
from aml.runtime.participant.errors import TransportFailed
from aml.runtime.participant.exchange import fetch
from aml.runtime.participant.http_connection import LARGE_RESPONSE_BYTES
from aml.runtime.participant.reply import Reply


async def test_large_bodies_take_turns() -> None:
    """As many are read as there are places; the others' bytes stay with TCP until one is judged."""
    large = bytes(LARGE_RESPONSE_BYTES * 3)
    server = Server(*[b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(large), large)] * 10)
    async with calling(server) as (connections, head):
        calls = [asyncio.ensure_future(fetch(connections, head, b"{}", limits=LIMITS)) for _ in range(10)]
        done, waiting = await asyncio.wait(calls, timeout=1)
        assert (len(done), len(waiting)) == (kept_connections.LARGE_BODIES_AT_ONCE, 2)

        for call in done:
            reply = call.result()
            assert isinstance(reply, Reply)
            assert reply.body == large
            reply.release()
        for call in await asyncio.gather(*waiting):
            assert isinstance(call, Reply)
            call.release()


async def test_a_call_that_waits_for_a_place_still_has_its_deadline() -> None:
    large = bytes(LARGE_RESPONSE_BYTES * 3)
    server = Server(*[b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(large), large)] * 10)
    async with calling(server) as (connections, head):
        held = [await fetch(connections, head, b"{}", limits=LIMITS) for _ in range(8)]
        late = await told(connections, head, limits=CallLimits(first_byte_seconds=1, total_seconds=0.3))
        assert isinstance(late, TransportFailed)
        assert "not complete within 0.3 s" in late.problem
        for reply in held:
            assert isinstance(reply, Reply)
            reply.release()
        assert await told(connections, head) == (200, large)
