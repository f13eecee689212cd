"""Answers that do not come whole, never end, are too large, or are no HTTP."""

import asyncio
import socket

import pytest
from aiohttp import web
from tests.integration.participant_client.client_calls import failing
from tests.integration.participant_client.served_participant import Participant, raw, serving

from aml.contracts.participant import CallLimits
from aml.contracts.release import RetryPolicy
from aml.runtime.participant import LimitExceeded, TransportFailed


async def test_a_false_content_length_ends_as_transport() -> None:
    async with raw(b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"data":') as base:
        error = await failing(base)
    assert isinstance(error, TransportFailed)
    assert [(attempt.status, attempt.layer) for attempt in error.attempts] == [(200, "transport")] * 3


async def test_an_announced_giant_is_not_read() -> None:
    async with raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n") as base:
        error = await failing(base)
    assert isinstance(error, LimitExceeded)


async def test_an_endless_body_stops_at_the_cap() -> None:
    async def pour(request: web.Request, _: bytes) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b" " * 50_000)

    async with serving(Participant(pour)) as base:
        error = await failing(base)
    assert isinstance(error, LimitExceeded)


async def test_a_drip_ends_at_the_total_deadline() -> None:
    limits = CallLimits(total_seconds=0.2, first_byte_seconds=0.2)
    async with raw(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", pause=0.02, drip=b" " * 100) as base:
        error = await failing(base, limits=limits, policy=RetryPolicy(attempts=1))
    assert isinstance(error, TransportFailed)
    assert "not complete within 0.2 s" in str(error)
    assert error.status == 200


async def test_silence_ends_at_the_first_byte_deadline() -> None:
    async def wait(_: web.Request, __: bytes) -> web.StreamResponse:
        await asyncio.sleep(30)
        raise AssertionError

    limits = CallLimits(total_seconds=20, first_byte_seconds=0.1)
    async with serving(Participant(wait)) as base:
        error = await failing(base, limits=limits, policy=RetryPolicy(attempts=2))
    assert isinstance(error, TransportFailed)
    assert "first byte" in str(error)
    assert len(error.attempts) == 2


@pytest.mark.parametrize(
    "reply", [b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200 OK\r\nA: " + b"b" * 100_000 + b"\r\n\r\n"]
)
async def test_what_is_no_http_is_named(reply: bytes) -> None:
    async with raw(reply) as base:
        error = await failing(base, policy=RetryPolicy(attempts=1))
    assert error.layer in ("transport", "http")


async def test_a_closed_port_is_tried_again_and_named() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    error = await failing(f"http://127.0.0.1:{port}")
    assert isinstance(error, TransportFailed)
    assert (len(error.attempts), error.status) == (3, None)
