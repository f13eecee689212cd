"""Add, Search and Health over HTTP for any object with `add` and `search`. The one file that the examples share.

To begin your own system: copy this file and one of the others, and change the import of `aml.examples.serve` to `serve`.
aiohttp keeps connections alive and sets TCP_NODELAY; a server without the latter costs 40 ms a call.
"""

import argparse
import asyncio
import hmac
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Protocol

import msgspec
import uvloop
from aiohttp import web

MAX_REQUEST_BYTES = 64 * 1024 * 1024


class Part(msgspec.Struct):
    type: Literal["text", "image_url"]
    text: str = ""


class Message(msgspec.Struct):
    role: str
    content: str | list[Part]
    timestamp: int | None = None
    """Unix milliseconds, where the source has them."""


class Add(msgspec.Struct):
    request_id: str
    messages: list[Message]
    user_id: str
    session_id: str


class Search(msgspec.Struct):
    query: str | list[Part]
    user_id: str
    top_k: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    options: list[str] = []


class Found(msgspec.Struct, omit_defaults=True):
    id: str
    content: str
    score: float | None = None
    created_at: str | None = None


class ConflictError(Exception):
    """A request id came again under the same user with other messages."""


class MemorySystem(Protocol):
    def add(self, request: Add) -> None:
        """Returns when what was written is durable and searchable. Raises `ConflictError`."""

    def search(self, request: Search) -> list[Found]:
        """At most `top_k`, the most relevant first, of this `user_id` only."""

    def close(self) -> None: ...


def text_of(content: str | list[Part]) -> str:
    """Multimodal content is read for its text only."""
    return content if isinstance(content, str) else "\n".join(part.text for part in content if part.text)


def shown(message: Message) -> tuple[str, str | None]:
    """What a reader of the memory gets: the text with its day before it, and the moment as ISO 8601."""
    text = text_of(message.content)
    if message.timestamp is None:
        return text, None
    try:
        moment = datetime.fromtimestamp(message.timestamp / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return text, None
    return f"[{moment:%Y-%m-%d}] {text}", moment.isoformat().replace("+00:00", "Z")


def command_line(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one; the line `ready URL` names it")
    parser.add_argument("--token", help="ask for this key (Bearer, Token or X-Api-Key)")
    return parser


def serve(memory: MemorySystem, options: argparse.Namespace) -> None:
    """Until SIGINT or SIGTERM. Prints `ready http://HOST:PORT` once it listens."""
    try:
        serve_application(application(memory, options.token), options)
    finally:
        memory.close()


def serve_application(app: web.Application, options: argparse.Namespace) -> None:
    """The same for a server that is not built on `MemorySystem`."""
    try:
        uvloop.run(_serve(app, options.host, options.port))
    except OSError as error:
        sys.exit(f"cannot listen on {options.host}:{options.port}: {error.strerror or error}; try --port 0")


def application(memory: MemorySystem, token: str | None = None) -> web.Application:
    app = web.Application(client_max_size=MAX_REQUEST_BYTES)
    app.router.add_post("/add", _guarded(token, _adder(memory)))
    app.router.add_post("/search", _guarded(token, _searcher(memory)))
    app.router.add_get("/health", _health)
    return app


async def _serve(app: web.Application, host: str, port: int) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    runner = web.AppRunner(app, access_log=None, keepalive_timeout=75)
    await runner.setup()
    await web.TCPSite(runner, host, port, backlog=512).start()
    print(f"ready http://{host}:{runner.addresses[0][1]}", flush=True)
    await stop.wait()
    await runner.cleanup()


Answer = Callable[[bytes], Any]


def _guarded(token: str | None, answer: Answer) -> Callable[[web.Request], Any]:
    async def handle(request: web.Request) -> web.Response:
        if token is not None and not _has_key(request, token):
            return _json({"detail": {"reason": "the key is missing or wrong"}}, 401)
        try:
            return _json(answer(await request.read()), 200)
        except msgspec.MsgspecError as error:
            return _json({"detail": {"reason": str(error)}}, 422)
        except ConflictError as error:
            # Not 409: that says "still at work, try again", and trying again would not help.
            return _json({"detail": {"reason": str(error)}}, 422)

    return handle


def _adder(memory: MemorySystem) -> Answer:
    decoder = msgspec.json.Decoder(Add)

    def answer(body: bytes) -> Any:
        request = decoder.decode(body)
        memory.add(request)
        return {
            "success": True,
            "request_id": request.request_id,
            "user_id": request.user_id,
            "session_id": request.session_id,
        }

    return answer


def _searcher(memory: MemorySystem) -> Answer:
    decoder = msgspec.json.Decoder(Search)

    def answer(body: bytes) -> Any:
        return {"data": memory.search(decoder.decode(body))}

    return answer


async def _health(_: web.Request) -> web.Response:
    return _json({"status": "ok"}, 200)


def _has_key(request: web.Request, token: str) -> bool:
    scheme, _, value = request.headers.get("Authorization", "").partition(" ")
    given = value if scheme in ("Bearer", "Token") else request.headers.get("X-Api-Key", "")
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), token.encode())


def _json(value: Any, status: int) -> web.Response:
    return web.Response(body=msgspec.json.encode(value), status=status, content_type="application/json")
