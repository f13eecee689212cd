"""The publisher's process against a real broker and a ledger over HTTP that signs with a real key.

The broker is the test's own: the publisher reads every board of a stream, and other tests write to the session's.
"""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp
import msgspec
import pytest
from aiohttp import web
from tests.factories.results import SignedLog, a_gate, a_result, a_review

from aml.contracts.boards import Board, BoardPublished
from aml.contracts.events import Event
from aml.publisher.collect_board import board_id_of
from aml.rules.entry import read_entry
from aml.rules.identity import SUBJECT_ROOT
from aml.runtime.bus import Bus
from aml.runtime.publish_once import publish_once
from aml.runtime.settings import NatsSettings
from aml.toolkit.local.nats import find_nats_server

BOARD_ID = board_id_of("textual", a_gate().subject.release_id, a_gate().subject.release_digest)


def a_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


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


class LedgerServer:
    """`/log/*` as the ledger serves it, over a log in memory."""

    def __init__(self) -> None:
        self.log = SignedLog()
        self.url = ""
        self.asked = asyncio.Event()
        """A proof was asked for."""
        self.answering = asyncio.Event()
        """Cleared, proofs are kept waiting."""
        self.answering.set()

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/log/checkpoint", self._checkpoint),
            web.get("/log/verifier", self._verifier),
            web.get("/log/jobs/{job_id}", self._job),
            web.get("/log/proof/{index}", self._proof),
            web.get("/log/consistency", self._consistency),
        ]

    async def _checkpoint(self, _: web.Request) -> web.Response:
        return web.Response(text=self.log.checkpoint()) if self.log.entries else web.Response(status=404)

    async def _verifier(self, _: web.Request) -> web.Response:
        return web.Response(text=f"{self.log.key}\n")

    async def _job(self, request: web.Request) -> web.Response:
        entry = self.log.gate_entry(request.match_info["job_id"])
        return web.Response(status=404) if entry is None else web.Response(body=b'{"type":"other"}\n' + entry + b"\n")

    async def _proof(self, request: web.Request) -> web.Response:
        self.asked.set()
        await self.answering.wait()
        index, size = int(request.match_info["index"]), int(request.query["size"])
        return web.json_response(
            {
                "index": index,
                "leaf": read_entry(self.log.entries[index]).leaf,
                "tree_size": size,
                "root": "",
                "proof": [step.hex() for step in self.log.proof(index, size)],
            }
        )

    async def _consistency(self, request: web.Request) -> web.Response:
        old, new = int(request.query["old"]), int(request.query["new"])
        return web.json_response({"proof": [step.hex() for step in self.log.consistency(old, new)]})


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


class PublisherProcess:
    """`python -m aml.publisher` with a board folder of its own."""

    def __init__(self, folder: Path, broker_url: str, ledger: LedgerServer) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.verifier_file = folder / "verifier"
        self.verifier_file.write_text(f"{ledger.log.key}\n")
        self.port = a_free_port()
        self._environment = {
            "PATH": os.environ["PATH"],
            "AML_NATS_URL": broker_url,
            "AML_LEDGER_URL": ledger.url,
            "AML_LEDGER_VERIFIER_FILE": str(self.verifier_file),
            "AML_BOARD_FOLDER": str(folder / "board"),
            "AML_HTTP_PORT": str(self.port),
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen([sys.executable, "-m", "aml.publisher"], env=self._environment, stderr=log)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def pause(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def wake(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> int:
        if self._process is None:
            return 0
        self.wake()  # a stopped process does not hear that it shall end
        self._process.terminate()
        return self._process.wait(30)

    def board(self) -> Board | None:
        path = self.folder / "board/current/board.json"
        return msgspec.json.decode(path.read_bytes(), type=Board) if path.exists() else None

    async def until(self, *rows: str, version: int | None = None) -> Board:
        """Waits for a board of exactly these jobs, in this order."""
        async with asyncio.timeout(15):
            while True:
                board = self.board()
                if (
                    board is not None
                    and tuple(row.job_id for row in board.rows) == rows
                    and version in (None, board.version)
                ):
                    return board
                await asyncio.sleep(0.02)

    async def readiness(self) -> tuple[int, dict[str, str]]:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{self.port}/health/ready") as answer,
        ):
            return answer.status, (await answer.json())["problems"]

    async def until_ready(self, status: int = 200) -> dict[str, str]:
        async with asyncio.timeout(15):
            while True:
                try:
                    found, problems = await self.readiness()
                except aiohttp.ClientError:
                    found, problems = 0, {}
                if found == status:
                    return problems
                await asyncio.sleep(0.02)


@pytest.fixture
def publisher(tmp_path: Path, broker_url: str, ledger: LedgerServer) -> Iterator[PublisherProcess]:
    process = PublisherProcess(tmp_path / "one", broker_url, ledger)
    yield process
    process.stop()


async def tell(bus: Bus, *events: Event) -> None:
    for event in events:
        await publish_once(bus, event)


async def publications(bus: Bus) -> list[BoardPublished]:
    found = []
    version = 1
    while (event := await bus.last_event(f"{SUBJECT_ROOT}.board.{BOARD_ID}.board_published.{version}")) is not None:
        assert isinstance(event, BoardPublished)
        found.append(event)
        version += 1
    return found


async def test_an_approved_result_is_published_and_can_be_checked(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess, tmp_path: Path
) -> None:
    publisher.start()
    await publisher.until_ready()
    ledger.log.fill(300)
    gate = a_gate("a", result=a_result(712_345))
    ledger.log.append(gate)

    await tell(bus, gate, a_review(gate))
    board = await publisher.until("a")

    assert (board.version, board.rows[0].rank, board.rows[0].log.index) == (1, 1, 300)
    [published] = await publications(bus)
    assert (published.rows, published.tree_size, published.root) == (1, 301, board.rows[0].log.root)
    site = publisher.folder / "board/current"
    assert "71.2" in (site / "index.html").read_text("utf-8")
    check = subprocess.run(
        [sys.executable, "-I", site / "proofs/check_proof.py", site / "proofs/a.json"], capture_output=True, check=False
    )
    assert check.returncode == 0, check.stdout
    assert await publisher.until_ready() == {}
    assert publisher.stop() == 0


async def test_withdrawing_takes_a_row_off_the_board(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess
) -> None:
    one, other = a_gate("a"), a_gate("b", result=a_result(800_000))
    for gate in (one, other):
        ledger.log.append(gate)
    await tell(bus, one, other, a_review(one), a_review(other))
    publisher.start()
    await publisher.until("b", "a")

    await tell(bus, a_review(one, decision="disqualify", number=2))

    assert (await publisher.until("b")).version == 2


async def test_a_row_that_the_ledger_contradicts_stays_off_and_readiness_says_so(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess
) -> None:
    good, bad = a_gate("good"), a_gate("bad", result=a_result(990_000))
    ledger.log.append(good)
    ledger.log.append(a_gate("bad", result=a_result(500_000)))
    await tell(bus, good, bad, a_review(good), a_review(bad))

    publisher.start()
    await publisher.until("good")

    problems = await publisher.until_ready(503)
    assert "bad" in problems["rows"]
    assert "another event" in problems["rows"]


async def test_another_logs_key_publishes_nothing(bus: Bus, ledger: LedgerServer, publisher: PublisherProcess) -> None:
    gate = a_gate("a")
    ledger.log.append(gate)
    right = publisher.verifier_file.read_text()
    publisher.verifier_file.unlink()
    await tell(bus, gate, a_review(gate))

    publisher.start()
    async with asyncio.timeout(15):
        while "board" not in await publisher.until_ready(503):
            await asyncio.sleep(0.02)
    assert publisher.board() is None
    assert await publications(bus) == []

    publisher.verifier_file.write_text(right)
    await publisher.until("a")


async def test_a_killed_publisher_goes_on_where_it_was(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess
) -> None:
    gates = [a_gate(f"j{n}", result=a_result(900_000 - n * 1000)) for n in range(6)]
    for n, gate in enumerate(gates):
        publisher.start()
        ledger.log.append(gate)
        await tell(bus, gate, a_review(gate))
        if n % 2:
            await asyncio.sleep(0.3 + 0.05 * n)
        else:
            await publisher.until(*(f"j{m}" for m in range(n + 1)))
        publisher.kill()

    publisher.start()
    board = await publisher.until(*(f"j{n}" for n in range(6)))

    found = await publications(bus)
    assert found[-1].version == board.version
    assert [each.rows for each in found] == sorted({each.rows for each in found}), "no version repeats another"


async def test_two_publishers_agree(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess, broker_url: str, tmp_path: Path
) -> None:
    second = PublisherProcess(tmp_path / "two", broker_url, ledger)
    publisher.start()
    second.start()
    try:
        await publisher.until_ready()
        await second.until_ready()
        names: list[str] = []
        for n in range(4):
            gate = a_gate(f"j{n}", result=a_result(900_000 - n * 1000))
            ledger.log.append(gate)
            await tell(bus, gate, a_review(gate))
            names.append(gate.job_id)
            mine, other = await publisher.until(*names), await second.until(*names)
            ledger.log.fill(1)
        await asyncio.sleep(0.5)

        assert [each.rows for each in await publications(bus)] == [1, 2, 3, 4]
        assert mine.version == other.version == 4
    finally:
        second.stop()


async def test_a_publisher_paused_before_its_claim_follows_the_one_that_went_on(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess, broker_url: str, tmp_path: Path
) -> None:
    """It has verified a board and is stopped; the other publishes a different one under that number. One version stands."""
    second = PublisherProcess(tmp_path / "two", broker_url, ledger)
    first, later = a_gate("a"), a_gate("b", result=a_result(900_000))
    ledger.log.append(first)
    publisher.start()
    try:
        await publisher.until_ready()
        ledger.answering.clear()
        ledger.asked.clear()
        await tell(bus, first, a_review(first))
        async with asyncio.timeout(15):
            await ledger.asked.wait()
        publisher.pause()
        ledger.log.append(later)
        await tell(bus, later, a_review(later))
        ledger.answering.set()  # what the paused one asked for lies in its socket

        second.start()
        theirs = await second.until("b", "a")
        [claimed] = await publications(bus)
        assert (claimed.version, claimed.rows) == (1, 2)
        await asyncio.sleep(1.0)
        publisher.wake()
        mine = await publisher.until("b", "a")
        await publisher.until_ready()
        await asyncio.sleep(0.5)

        assert await publications(bus) == [claimed]
        assert mine == theirs
        assert (publisher.folder / "board/current/board.json").read_bytes() == (
            second.folder / "board/current/board.json"
        ).read_bytes()
    finally:
        second.stop()


async def test_each_decision_takes_its_effect_and_history_stays(
    bus: Bus, ledger: LedgerServer, publisher: PublisherProcess
) -> None:
    one, other = a_gate("a"), a_gate("b", result=a_result(800_000))
    for gate in (one, other):
        ledger.log.append(gate)
    entries = list(ledger.log.entries)
    publisher.start()
    await tell(bus, one, other, a_review(one), a_review(other))
    await publisher.until("b", "a")
    before = await publications(bus)

    await tell(bus, a_review(one, decision="withdraw", number=2))
    await publisher.until("b")
    await tell(bus, a_review(one, decision="approve", number=3))
    await publisher.until("b", "a")
    await tell(bus, a_review(one, decision="disqualify", number=4), a_review(other, decision="withdraw", number=2))
    board = await publisher.until()

    found = await publications(bus)
    assert found[: len(before)] == before, "what was published stays a fact"
    assert board.version == len(found)
    assert ledger.log.entries == entries
    assert await bus.last_event(f"{SUBJECT_ROOT}.job.a.review_decided.1") == a_review(one)
    assert await publisher.until_ready() == {}
