from typing import Any

import pytest

from aml.gateway.edge import body_rest
from aml.gateway.edge.body_rest import read_rest_before_refusing


def a_chunk(size: int, *, more: bool) -> dict[str, Any]:
    return {"type": "http.request", "body": b" " * size, "more_body": more}


async def answer(
    status: int, chunks: list[dict[str, Any]], *, read_first: int = 0, headers: tuple[tuple[bytes, bytes], ...] = ()
) -> list[dict[str, Any]]:
    """What is left unread once an application that reads `read_first` chunks has answered."""
    sent: list[Any] = []

    async def receive() -> Any:
        return chunks.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    async def app(_: Any, receive: Any, send: Any) -> None:
        for _ in range(read_first):
            await receive()
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b"why", "more_body": False})

    await read_rest_before_refusing(app)({"headers": headers}, receive, send)  # type: ignore[arg-type]
    assert sent[0]["status"] == status
    assert b"".join(message["body"] for message in sent[1:]) == b"why"
    assert [message["more_body"] for message in sent[1:]][-1] is False
    return chunks


async def test_the_rest_of_a_refused_body_is_read() -> None:
    assert await answer(413, [a_chunk(9, more=True), a_chunk(9, more=True), a_chunk(9, more=False)], read_first=1) == []


async def test_a_body_that_was_read_is_not_waited_for() -> None:
    beyond = [a_chunk(9, more=True)]

    assert await answer(413, [a_chunk(9, more=False), *beyond], read_first=1) == beyond


async def test_other_answers_wait_for_nothing() -> None:
    rest = [a_chunk(9, more=False)]

    assert await answer(200, list(rest)) == rest


async def test_an_endless_body_is_left_after_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_rest, "MAX_REST_BYTES", 20)

    assert len(await answer(413, [a_chunk(9, more=True)] * 5)) == 2


async def test_a_sender_who_left_is_not_waited_for() -> None:
    assert await answer(413, [a_chunk(9, more=True), {"type": "http.disconnect"}]) == []


async def test_a_sender_who_asked_first_is_not_told_to_go_on() -> None:
    body = [a_chunk(9, more=False)]

    assert await answer(413, list(body), headers=((b"expect", b"100-Continue"),)) == body
