"""The publisher's process against a real broker and a ledger over HTTP.

The broker is the test's own: the publisher reads every board of a stream, and other tests write to the session's.
"""

import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from aiohttp import web
from tests.integration.publisher.ledger_server import LedgerServer
from tests.integration.publisher.publisher_process import PublisherProcess, a_free_port

from aml.runtime.bus import Bus
from aml.runtime.settings import NatsSettings
from aml.toolkit.local.nats import find_nats_server


@pytest.fixture
def broker_url(tmp_path: Path) -> Iterator[str]:
    port = a_free_port()
    command = [str(find_nats_server()), "-js", "-a", "127.0.0.1", "-p", str(port), "-sd", str(tmp_path / "nats")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        yield f"nats://127.0.0.1:{port}"
        server.terminate()


@pytest.fixture
async def bus(broker_url: str) -> AsyncIterator[Bus]:
    bus = Bus(NatsSettings(url=broker_url), name="test")
    await bus.connect()
    yield bus
    await bus.close()


@pytest.fixture
async def ledger() -> AsyncIterator[LedgerServer]:
    server = LedgerServer()
    application = web.Application()
    application.add_routes(server.routes())
    runner = web.AppRunner(application)
    await runner.setup()
    port = a_free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    server.url = f"http://127.0.0.1:{port}"
    yield server
    await runner.cleanup()


@pytest.fixture
def publisher(tmp_path: Path, broker_url: str, ledger: LedgerServer) -> Iterator[PublisherProcess]:
    process = PublisherProcess(tmp_path / "one", broker_url, ledger)
    yield process
    process.stop()
