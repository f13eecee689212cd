"""A participant that costs as little as a server can: it answers what the contract wants, with no work behind it.

`python -m bench.echo_server ITEMS`: prints its port. Bodies that carry `session_id` are Adds, whose ids come back.
"""

import asyncio
import json
import sys
from typing import Any

import uvloop


def _answer(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


class Echo(asyncio.Protocol):
    """Requests come one at a time on a connection; a body's length stands in its head."""

    def __init__(self, found: bytes) -> None:
        self._found = _answer(found)
        self._held = b""
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._held += data
        head, mark, body = self._held.partition(b"\r\n\r\n")
        if not mark or len(body) < _length(head):
            return
        self._held = b""
        self._transport.write(_added(body) if b"POST /add" in head else self._found)


def _length(head: bytes) -> int:
    _, found, rest = head.lower().partition(b"content-length:")
    return int(rest.split(b"\r\n", 1)[0]) if found else 0


def _added(body: bytes) -> bytes:
    sent = json.loads(body)
    return _answer(
        json.dumps({"success": True} | {k: sent[k] for k in ("request_id", "user_id", "session_id")}).encode()
    )


def found_items(count: int) -> bytes:
    """A Search response of `count` memories of about 250 bytes."""
    item = {"content": "user: " + "the bicycle in the shed was blue before it was painted red, " * 3, "score": 0.8731}
    data = [{"id": f"memory-{n:06d}", "created_at": "2026-05-04T10:00:00Z"} | item for n in range(count)]
    return json.dumps({"data": data}).encode()


async def main(items: int) -> None:
    found = found_items(items)
    server = await asyncio.get_running_loop().create_server(lambda: Echo(found), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
