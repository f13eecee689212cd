"""The publisher as a process of its own, with a board folder that a test reads."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import aiohttp
import msgspec
from tests.integration.publisher.ledger_server import LedgerServer

from aml.contracts.boards import Board


def a_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


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
