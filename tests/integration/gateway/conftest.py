"""The gateway with a real broker and a database of its own, and ways to talk to it."""

import os
import uuid
from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from psycopg import sql
from tests.integration.gateway.gateway_process import Running, free_port, start_gateway, wait_ready

from aml.runtime.bus import Bus
from aml.runtime.settings import NatsSettings


@pytest.fixture(scope="session")
def gateway_database(database_url: str) -> Iterator[str]:
    name = f"gateway_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield urlsplit(database_url)._replace(path=f"/{name}").geturl()
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def gateway(nats_url: str, gateway_database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    home = tmp_path_factory.mktemp("gateway")
    (home / "kek").write_text("11" * 32)
    operator_key = f"aml_o_{uuid.uuid4().hex}{uuid.uuid4().hex}"
    (home / "operator.key").write_text(operator_key + "\n")
    board = home / "board" / "v1"
    board.mkdir(parents=True)
    (board / "index.html").write_text("<h1>board</h1>")
    (board / "board.json").write_text("{}")
    (home / "board" / "current").symlink_to("v1")
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "AML_HTTP_PORT": str(port),
        "AML_NATS_URL": nats_url,
        "AML_DATABASE_URL": gateway_database,
        "AML_EVIDENCE_URL": f"file://{home}/evidence",
        "AML_EVIDENCE_KEK_FILE": str(home / "kek"),
        "AML_FILES_DATASETS": str(home / "datasets"),
        "AML_OPERATOR_KEY_FILE": str(home / "operator.key"),
        "AML_BOARD_FOLDER": str(home / "board"),
        "AML_DONATIONS_FOLDER": str(home / "donations"),
        "AML_NETWORK_ALLOW_PRIVATE": "true",
        "AML_LEDGER_URL": f"http://127.0.0.1:{free_port()}",
        "AML_LOG_LEVEL": "debug",
        "AML_RATE_KEY_PER_SECOND": "0",
        "AML_RATE_ADDRESS_PER_SECOND": "0",
        "LITESTAR_DEBUG": "1",
    }
    log = home / "gateway.log"
    process = start_gateway(environment, log)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_ready(url, process, log)
        yield Running(url, operator_key, environment, log, process)
    finally:
        process.terminate()
        assert process.wait(timeout=15) == 0, log.read_text()
        assert "Traceback" not in log.read_text(), log.read_text()


@pytest.fixture
async def bus(nats_url: str) -> AsyncIterator[Bus]:
    bus = Bus(NatsSettings(url=nats_url), name="test")
    await bus.connect()
    yield bus
    await bus.close()


@pytest.fixture
async def api(gateway: Running) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{gateway.url}/api/v1", timeout=15) as client:
        yield client
