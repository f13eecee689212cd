"""Hostile before a byte of HTTP is spoken: certificates, names that change, redirects, ports; and what a retry is told."""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
import uvloop
from tests.hostile.calling import ADD, KEY, SEARCH, a_client
from tests.hostile.certificates import server_side, trusting
from tests.hostile.hostile_server import Exchange, hostile, message, raw, says, shows

from aml.contracts.participant import CallLimits
from aml.contracts.release import RetryPolicy
from aml.runtime.participant import (
    AddressRefused,
    HttpRefused,
    ParticipantClient,
    ParticipantError,
    TlsFailed,
    TransportFailed,
)
from aml.runtime.participant.http_connection import HttpConnection

FOUND = shows({"data": []})
NAME = "memory.example"
PUBLIC, PRIVATE = (socket.AF_INET, "203.0.114.7"), (socket.AF_INET, "127.0.0.1")

Answers = list[tuple[int, str]]


def resolver(*answers: Answers) -> tuple[Callable[[str, int], Awaitable[Answers]], list[str]]:
    """Gives each answer once and the last for ever; with the names that it was asked for."""
    asked: list[str] = []

    async def lookup(host: str, _: int) -> Answers:
        asked.append(host)
        return answers[min(len(asked), len(answers)) - 1]

    return lookup, asked


async def refusal(client: ParticipantClient) -> ParticipantError:
    async with client:
        with pytest.raises(ParticipantError) as raised:
            await client.search(SEARCH)
    assert KEY not in str(raised.value)
    return raised.value


@pytest.mark.parametrize(
    ("name", "days", "trusted", "host", "retried"),
    [
        ("self-signed.example", 1, False, "self-signed.example", False),
        ("expired.example", -2, True, "expired.example", False),
        ("one.example", 1, True, "other.example", False),
    ],
    ids=["self-signed", "expired", "for another name"],
)
async def test_a_bad_certificate_ends_before_the_key_is_sent(
    tmp_path: Path, name: str, days: int, trusted: bool, host: str, retried: bool
) -> None:
    tls = server_side(tmp_path, name, days=days)
    async with hostile(FOUND, tls) as server:
        lookup, _ = resolver([PRIVATE])
        base = server.base.replace("127.0.0.1", host)
        changes: dict[str, Any] = {"ssl_context": trusting(tmp_path, name)} if trusted else {}
        error = await refusal(a_client(base, schemes=("https",), lookup=lookup, **changes))

        assert type(error) is TlsFailed
        assert (error.unscored_reason, error.calls, error.status) == ("transport", 1, None)
        assert "certificate" in error.problem
        assert server.heads == [], "nothing was said to it"


async def test_a_call_that_is_cancelled_as_its_handshake_ends_leaves_no_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[HttpConnection] = []

    def cancelled(connection: HttpConnection, transport: asyncio.BaseTransport) -> None:
        make(connection, transport)
        made.append(connection)
        call.cancel()

    make = HttpConnection.connection_made
    async with hostile(FOUND, server_side(tmp_path, NAME)) as server:
        lookup, _ = resolver([PRIVATE])
        base = server.base.replace("127.0.0.1", NAME)
        async with a_client(base, schemes=("https",), lookup=lookup, ssl_context=trusting(tmp_path, NAME)) as client:
            monkeypatch.setattr(HttpConnection, "connection_made", cancelled)
            call = asyncio.ensure_future(client.search(SEARCH))
            with pytest.raises(asyncio.CancelledError):
                await call
            monkeypatch.undo()
            await asyncio.sleep(0.02)
            assert [each.usable for each in made] == [False]
            for found in await asyncio.gather(*(client.search(SEARCH) for _ in range(5))):
                assert found.memories == ()


async def test_plain_http_on_a_tls_port() -> None:
    async def plainly(connection: Exchange) -> None:
        await connection.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")

    async with hostile(plainly, unread=True) as server:
        error = await refusal(a_client(server.base.replace("http:", "https:"), schemes=("https",)))
    assert (type(error), error.calls, error.unscored_reason) == (TlsFailed, 2, "transport")


async def test_tls_on_a_plain_port(tmp_path: Path) -> None:
    async with hostile(FOUND, server_side(tmp_path, NAME)) as server:
        error = await refusal(a_client(server.base.replace("https:", "http:")))
        assert server.heads == []
    assert error.retryable


async def test_a_handshake_that_never_ends() -> None:
    async def mute(_: Exchange) -> None:
        await asyncio.sleep(30)

    limits = CallLimits(connect_seconds=0.2, first_byte_seconds=0.4, total_seconds=0.8)
    async with hostile(mute, unread=True) as server:
        error = await refusal(a_client(server.base.replace("http:", "https:"), schemes=("https",), limits=limits))
    assert (type(error), error.calls, error.unscored_reason) == (TransportFailed, 2, "transport")


def cut(exchange: Exchange) -> None:
    """TCP's end without TLS's, as anybody on the way can make it."""
    with socket.socket(fileno=os.dup(exchange.writer.get_extra_info("socket").fileno())) as beneath:
        beneath.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize("how", ["said", "cut"])
async def test_over_tls_a_body_without_a_length_ends_where_its_end_was_said(tmp_path: Path, how: str) -> None:
    """RFC 9112 §9.8. asyncio's own TLS does not tell one end from the other."""

    async def speak(exchange: Exchange) -> None:
        await exchange.write(b'HTTP/1.1 200 OK\r\n\r\n{"data":[]}')
        if how == "cut":
            cut(exchange)
            await asyncio.sleep(0.3)

    async with hostile(speak, server_side(tmp_path, NAME)) as server:
        lookup, _ = resolver([PRIVATE])
        base = server.base.replace("127.0.0.1", NAME)
        client = a_client(base, schemes=("https",), lookup=lookup, ssl_context=trusting(tmp_path, NAME))
        if how == "cut" and isinstance(asyncio.get_running_loop(), uvloop.Loop):
            error = await refusal(client)
            assert (type(error), error.calls, error.unscored_reason) == (TransportFailed, 2, "transport")
            assert "close_notify" in error.advice
        else:
            async with client:
                assert (await client.search(SEARCH)).memories == ()


async def test_over_tls_a_body_with_a_length_needs_no_end_that_was_said(tmp_path: Path) -> None:
    async def speak(exchange: Exchange) -> None:
        await exchange.write(message(b'{"data":[]}', headers="Connection: close\r\n"))
        cut(exchange)
        await asyncio.sleep(0.1)

    async with hostile(speak, server_side(tmp_path, NAME)) as server:
        lookup, _ = resolver([PRIVATE])
        base = server.base.replace("127.0.0.1", NAME)
        async with a_client(base, schemes=("https",), lookup=lookup, ssl_context=trusting(tmp_path, NAME)) as client:
            for _ in range(3):
                assert (await client.search(SEARCH)).memories == ()


@pytest.mark.parametrize("first", [b"SSH-2.0-OpenSSH_9.9\r\n", b"220 mail.example ESMTP\r\n"])
async def test_another_protocol_that_speaks_first_is_no_matter_of_transport(first: bytes) -> None:
    async def speak(exchange: Exchange) -> None:
        await exchange.write(first)
        await asyncio.sleep(1)

    async with hostile(speak, unread=True) as server:
        error = await refusal(a_client(server.base))
    assert (type(error), error.calls, error.unscored_reason) == (HttpRefused, 1, "contract")


async def test_a_name_that_is_public_and_private_at_once() -> None:
    async with hostile(FOUND) as server:
        lookup, asked = resolver([PUBLIC, PRIVATE])
        base = server.base.replace("127.0.0.1", NAME)
        error = await refusal(a_client(base, allow_private=False, lookup=lookup))
        assert server.heads == []
    assert (type(error), error.calls, error.unscored_reason) == (AddressRefused, 1, "contract")
    assert asked == [NAME]


async def test_a_name_that_becomes_private_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first answer is public and its server is dead; the second leads home. Only the first was ever dialled."""
    dialled: list[str] = []
    connect = asyncio.get_running_loop().sock_connect

    async def watched(sock: socket.socket, address: Any) -> None:
        dialled.append(address[0])
        if address[0] == PUBLIC[1]:
            raise ConnectionRefusedError
        await connect(sock, address)

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", watched)
    async with hostile(FOUND) as server:
        lookup, asked = resolver([PUBLIC], [PRIVATE])
        base = server.base.replace("127.0.0.1", NAME)
        error = await refusal(a_client(base, allow_private=False, lookup=lookup))
        assert server.heads == []
    assert type(error) is AddressRefused
    assert [each.layer for each in error.attempts] == ["transport", "address"]
    assert len(asked) == 2, "each connection is judged by the one answer that it uses"
    assert set(dialled) == {PUBLIC[1]}


async def test_a_kept_connection_is_not_resolved_again() -> None:
    async with hostile(FOUND) as server:
        lookup, asked = resolver([PRIVATE], [PUBLIC])
        async with a_client(server.base.replace("127.0.0.1", NAME), lookup=lookup) as client:
            for _ in range(3):
                await client.search(SEARCH)
    assert asked == [NAME]
    assert {b"Host: memory.example" in head for head in server.heads} == {True}


@pytest.mark.parametrize("status", [300, 301, 302, 303, 305, 307, 308])
@pytest.mark.parametrize("call", ["add", "search"])
async def test_a_redirect_is_an_end_and_the_key_goes_nowhere(status: int, call: str) -> None:
    async with hostile(FOUND) as other:
        elsewhere = says(b"", status=f"{status} Go", headers=f"Location: {other.base}/search\r\n")
        async with hostile(elsewhere) as server, a_client(server.base) as client:
            with pytest.raises(HttpRefused) as raised:
                await (client.add(ADD) if call == "add" else client.search(SEARCH))
        assert other.heads == []
    assert (raised.value.calls, raised.value.status) == (1, status)


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        ("1000000000", 2.0, 2.0),
        ("99999999999999999999999", 0.0, 1.0),
        ("-5", 0.0, 1.0),
        ("soon", 0.0, 1.0),
        ("1.5", 0.0, 1.0),
        ("", 0.0, 1.0),
        (formatdate(0, usegmt=True), 0.0, 1.0),
        (formatdate(32_503_680_000, usegmt=True), 2.0, 2.0),
        ("Thu, 99 Foo 2026 99:99:99 GMT", 0.0, 1.0),
        ("9" * 5000, 0.0, 1.0),
    ],
)
async def test_retry_after_is_read_clamped_or_ignored(value: str, least: float, most: float) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async with hostile(says(b"", status="429 Slow", headers=f"Retry-After: {value}\r\n")) as server:
        policy = RetryPolicy(attempts=3, base_seconds=0.5, cap_seconds=2)
        error = await refusal(a_client(server.base, sleep=sleep, policy=policy))
    assert (error.calls, error.status, error.unscored_reason) == (3, 429, "transport")
    assert len(waits) == 2
    assert all(least <= wait <= most for wait in waits), waits


async def test_a_second_answer_nobody_asked_for_is_never_given_to_the_next_call() -> None:
    """Two answers in one breath: the second must not become another question's memories."""
    planted = b'{"data":[{"id":"planted","content":"for somebody else"}]}'
    first = b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n" + b'{"data":[]}'
    second = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(planted) + planted
    async with hostile(raw(first + second)) as server, a_client(server.base, search_concurrency=1) as client:
        for _ in range(3):
            try:
                assert (await client.search(SEARCH)).memories == ()
            except ParticipantError as error:
                assert error.layer in ("http", "transport")  # noqa: PT017


async def test_a_reply_before_the_request_was_read() -> None:
    async with (
        hostile(raw(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")) as server,
        a_client(server.base) as client,
    ):
        with pytest.raises(HttpRefused) as raised:
            await client.add(ADD)
    assert (raised.value.status, raised.value.calls) == (413, 1)


@pytest.mark.parametrize("port", [22, 25, 6379, 8080])
def test_ports_beyond_the_releases_are_refused(port: int) -> None:
    with pytest.raises(AddressRefused, match="port"):
        a_client(f"https://{NAME}:{port}", allow_private=False, schemes=("https",), ports=(443, 8443))
