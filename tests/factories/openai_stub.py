"""A local OpenAI-compatible endpoint with scripted faults, for tests and for measuring what a model call costs.

    python -m tests.factories.openai_stub --port 8099

prints one JSON line with its base URL and serves until it is stopped. Its replies depend on the request alone: a prompt that
asks for a verdict gets one, any other gets the first 12 words of its last line.
"""

import argparse
import asyncio
import contextlib
import json
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Messages = list[dict[str, str]]


@dataclass(frozen=True)
class Fault:
    """One scripted reply, given instead of a completion."""

    status: int = 200
    body: bytes = b'{"error": {"message": "scripted fault", "type": "server_error"}}'
    headers: dict[str, str] = field(default_factory=dict)
    hang_seconds: float = 0.0
    drop: bool = False
    """Close the connection without an answer."""


def server_error(status: int = 500) -> Fault:
    return Fault(status=status)


def too_many_requests(retry_after: str | None = None) -> Fault:
    return Fault(status=429, headers={} if retry_after is None else {"Retry-After": retry_after})


def malformed_json() -> Fault:
    return Fault(body=b'{"id": "chatcmpl-1", "choices": [{"index": 0, "mess')


def empty_choices() -> Fault:
    return Fault(body=json.dumps(completion_body("", "stub", 3) | {"choices": []}).encode())


def truncated(text: str) -> Fault:
    return Fault(body=json.dumps(completion_body(text, "stub", 3, finish_reason="length")).encode())


def replying(text: str) -> Fault:
    return Fault(body=json.dumps(completion_body(text, "stub", 3)).encode())


def completion_body(text: str | None, model: str, prompt_tokens: int, finish_reason: str = "stop") -> dict[str, Any]:
    spent = 0 if text is None else len(text.split())
    return {
        "id": "chatcmpl-stub",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": model,
        "system_fingerprint": "fp_stub",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": finish_reason,
                "logprobs": None,
            }
        ],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": spent,
            "total_tokens": prompt_tokens + spent,
        },
    }


def plain_reply(messages: Messages) -> str:
    prompt = "\n".join(message["content"] for message in messages)
    if '"verdict"' in prompt:
        return '{"verdict": "correct", "reason": "the stub agrees with everything"}'
    lines = [line for line in prompt.splitlines() if line.strip()]
    return " ".join(lines[-1].split()[:12]) if lines else "nothing"


class OpenAiStub:
    """Faults are used up in order, one a request; after them every request succeeds."""

    def __init__(
        self, faults: Iterable[Fault] = (), reply: Callable[[Messages], str] = plain_reply, *, keep: int = 1000
    ) -> None:
        self._faults = deque(faults)
        self._reply = reply
        self._runner: web.AppRunner | None = None
        self.requests: deque[dict[str, Any]] = deque(maxlen=keep)
        self.keys: Counter[str] = Counter()
        self.base_url = ""

    async def start(self, port: int = 0) -> str:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/health", self._health)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        bound = self._runner.addresses[0][1]
        self.base_url = f"http://127.0.0.1:{bound}/v1"
        return self.base_url

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _health(self, _request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = json.loads(raw)
        self.requests.append(body)
        self.keys[request.headers.get("Authorization", "").removeprefix("Bearer ")] += 1
        if self._faults:
            return await self._misbehave(request, self._faults.popleft())
        text = self._reply(body["messages"])
        done = completion_body(text, body["model"], prompt_tokens=len(raw) // 4)
        return web.Response(body=json.dumps(done).encode(), content_type="application/json")

    async def _misbehave(self, request: web.Request, fault: Fault) -> web.StreamResponse:
        if fault.hang_seconds:
            await asyncio.sleep(fault.hang_seconds)
        if fault.drop:
            if request.transport is not None:
                request.transport.close()
            return web.Response(status=500)
        return web.Response(
            status=fault.status, body=fault.body, headers=fault.headers, content_type="application/json"
        )


@contextlib.asynccontextmanager
async def running_stub(*faults: Fault, reply: Callable[[Messages], str] = plain_reply) -> AsyncIterator[OpenAiStub]:
    stub = OpenAiStub(faults, reply)
    await stub.start()
    try:
        yield stub
    finally:
        await stub.stop()


async def _serve(port: int) -> None:
    stub = OpenAiStub(keep=1)
    print(json.dumps({"base_url": await stub.start(port)}), flush=True)
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve a local OpenAI-compatible stub.")
    parser.add_argument("--port", type=int, default=0)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
