"""HEAD is answered as GET is, without the body; the API's methods stay those of its document."""

from typing import Any

import pytest
from litestar.types import Message, Receive, Scope, Send

from aml.gateway.edge.head_requests import answer_head

START: Any = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]}


async def answered(method: str, path: str) -> tuple[str, list[Message]]:
    """The method that the application behind saw, and what was sent."""
    seen: list[str] = []
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["method"])  # type: ignore[typeddict-item]
        started: Any = dict(START)
        await send(started)
        await send({"type": "http.response.body", "body": b"page", "more_body": False})

    async def receive() -> Message:
        raise AssertionError("nothing to receive")

    async def send(message: Message) -> None:
        sent.append(message)

    await answer_head(app)({"type": "http", "method": method, "path": path}, receive, send)  # type: ignore[arg-type]
    return seen[0], sent


@pytest.mark.parametrize("path", ["/", "/zh/docs", "/assets/portal.css", "/board/index.html", "/health/live"])
async def test_a_page_is_answered_without_its_body_and_with_its_length(path: str) -> None:
    method, (start, body) = await answered("HEAD", path)

    assert method == "GET"
    assert start == START
    assert body["body"] == b""  # type: ignore[typeddict-item]


@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("HEAD", "/api/v1/jobs"), ("POST", "/docs")])
async def test_everything_else_passes_as_it_came(method: str, path: str) -> None:
    seen, (_, body) = await answered(method, path)

    assert seen == method
    assert body["body"] == b"page"  # type: ignore[typeddict-item]
