from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from tests.factories.results import SignedLog, a_gate

from aml.publisher.errors import LedgerUnavailable
from aml.publisher.ledger_log import LedgerLog

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def a_ledger(path: str, handler: Handler) -> AsyncIterator[LedgerLog]:
    application = web.Application()
    application.router.add_get(path, handler)
    async with TestServer(application) as server, LedgerLog(f"{server.make_url('/')}") as log:
        yield log


def answering(body: bytes = b"", status: int = 200) -> Handler:
    async def handler(_: web.Request) -> web.StreamResponse:
        return web.Response(body=body, status=status)

    return handler


async def test_the_gate_entry_is_found_among_a_jobs_lines_however_they_arrive() -> None:
    log = SignedLog()
    log.append(a_gate("a", system='no "type":"gate_passed.v1" here'))
    entry = log.entries[0]

    async def in_small_parts(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        body = b'{"event":{"type":"job_sealed.v1"}}\n' * 50 + entry + b"\n"
        for start in range(0, len(body), 97):
            await response.write(body[start : start + 97])
        return response

    async with a_ledger("/log/jobs/a", in_small_parts) as ledger:
        assert await ledger.gate_entry("a") == entry


async def test_a_line_that_only_quotes_the_tag_is_not_the_entry() -> None:
    line = b'{"event":{"reason":"\\"type\\":\\"gate_passed.v1\\"","type":"review_decided.v1"}}\n'

    async with a_ledger("/log/jobs/a", answering(line)) as ledger:
        assert await ledger.gate_entry("a") is None


async def test_an_unknown_job_has_no_entry_and_a_failure_is_not_an_answer() -> None:
    async with a_ledger("/log/jobs/a", answering(status=404)) as ledger:
        assert await ledger.gate_entry("a") is None
    async with a_ledger("/log/jobs/a", answering(status=503)) as ledger:
        with pytest.raises(LedgerUnavailable, match="status 503"):
            await ledger.gate_entry("a")


async def test_a_checkpoint_that_is_gone_is_answered_by_the_latest() -> None:
    async def only_latest(request: web.Request) -> web.StreamResponse:
        return web.Response(status=404) if "size" in request.query else web.Response(text="latest")

    async with a_ledger("/log/checkpoint", only_latest) as ledger:
        assert await ledger.checkpoint(7) == "latest"


@pytest.mark.parametrize("body", [b"", b"[]", b'{"proof": ["zz"]}', b'{"proof": [1]}', b"<html>"])
async def test_what_is_no_proof_is_refused(body: bytes) -> None:
    async with a_ledger("/log/proof/3", answering(body)) as ledger:
        with pytest.raises(LedgerUnavailable):
            await ledger.proof(3, 9)


async def test_a_redirect_is_not_followed() -> None:
    async def elsewhere(_: web.Request) -> web.StreamResponse:
        raise web.HTTPFound("/somewhere")

    async with a_ledger("/log/checkpoint", elsewhere) as ledger:
        with pytest.raises(LedgerUnavailable, match="status 302"):
            await ledger.checkpoint()


async def test_nobody_there_is_unavailable() -> None:
    async with LedgerLog("http://127.0.0.1:9") as ledger:
        with pytest.raises(LedgerUnavailable):
            await ledger.reach()
