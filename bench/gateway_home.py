"""One gateway process with a broker and a database of its own, and participants to call it as."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import msgspec
import psycopg

from aml.contracts.participant import ParticipantTarget
from aml.gateway.keys.keys import make_key
from aml.toolkit.local import start_infra

READY_SECONDS = 30.0


@dataclass(frozen=True)
class BenchGateway:
    port: int
    pid: int
    database_url: str

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def admit(self, count: int) -> list[tuple[str, str]]:
        """So many approved participants, written into the tables: (key, version id) of each."""
        target = ParticipantTarget(
            add_url="https://example.org/add", search_url="https://example.org/search", auth="bearer"
        )
        admitted = []
        with psycopg.connect(self.database_url) as connection, connection.cursor() as cursor:
            for number in range(count):
                key, name = make_key("participant"), f"bench-{os.getpid()}-{time.monotonic_ns()}-{number}"
                cursor.execute(
                    "INSERT INTO gateway.api_key (key_id, role, label, prefix, hash, first_used_at)"
                    " VALUES (%s, 'participant', 'bench', %s, %s, now())",
                    (f"key-{name}", key.prefix, key.hash),
                )
                cursor.execute(
                    "INSERT INTO gateway.system_version (version_id, key_id, system, version, track, division, arm,"
                    " own_run, target, max_add_concurrency, max_search_concurrency)"
                    " VALUES (%s, %s, %s, '1', 'textual', 'open_source', 'participant', false, %s, 4, 4)",
                    (f"ver-{name}", f"key-{name}", name, msgspec.json.encode(target)),
                )
                admitted.append((key.text, f"ver-{name}"))
        return admitted


@contextmanager
def bench_gateway() -> Iterator[BenchGateway]:
    """Nobody takes up the jobs that are ordered: what is measured is the gateway."""
    with tempfile.TemporaryDirectory(prefix="aml-bench-") as folder:
        home = Path(folder)
        (home / "kek").write_text("11" * 32)
        infra = start_infra(home / "infra")
        try:
            environment = {
                "PATH": os.environ["PATH"],
                "AML_HTTP_PORT": str(_free_port()),
                "AML_NATS_URL": infra.nats_url_with_token,
                "AML_DATABASE_URL": infra.database_url_with_password,
                "AML_EVIDENCE_URL": f"file://{home}/evidence",
                "AML_EVIDENCE_KEK_FILE": str(home / "kek"),
                "AML_FILES_DATASETS": str(home / "datasets"),
                "AML_RATE_KEY_PER_SECOND": "0",
                "AML_RATE_ADDRESS_PER_SECOND": "0",
                "AML_LOG_LEVEL": "warning",
            }
            port = int(environment["AML_HTTP_PORT"])
            process = subprocess.Popen([sys.executable, "-m", "aml.gateway"], env=environment)
            try:
                _await_ready(port, process)
                yield BenchGateway(port, process.pid, infra.database_url_with_password)
            finally:
                process.terminate()
                process.wait()
        finally:
            infra.stop(remove=True)


def _await_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"http://127.0.0.1:{port}/health/ready", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise RuntimeError("the gateway did not become ready")


def _free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])
