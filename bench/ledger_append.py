"""How fast the ledger appends: a stream filled beforehand, one ledger process, a real Postgres."""

import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import psutil
import uvloop

from aml.contracts.units import ChunkAdded
from aml.runtime.bus import Bus
from aml.runtime.publish_once import publish_once
from aml.runtime.settings import NatsSettings
from aml.toolkit.local import start_infra
from aml.toolkit.local.ports import choose_ports

EVENTS = 60_000
_AT_ONCE = 256


async def fill(nats_url: str) -> None:
    bus = Bus(NatsSettings(url=nats_url), name="bench")
    await bus.connect()
    for start in range(0, EVENTS, _AT_ONCE):
        await asyncio.gather(
            *(
                publish_once(
                    bus,
                    ChunkAdded(
                        at=1_700_000_000_000,
                        job_id=f"bench-{i % 7}",
                        unit=f"s{i // 100}-{i}",
                        sample=f"s{i // 100}",
                        index=i,
                        messages=20,
                        attempts=1,
                        latency=1234,
                        received=180,
                        attempt_log=None,
                    ),
                )
                for i in range(start, min(EVENTS, start + _AT_ONCE))
            )
        )
    await bus.close()


def measure() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        infra = start_infra(Path(folder))
        try:
            uvloop.run(fill(infra.nats_url_with_token))
            return _append(infra.nats_url_with_token, infra.database_url_with_password, Path(folder))
        finally:
            infra.stop(remove=True)


def _append(nats_url: str, database_url: str, folder: Path) -> dict[str, Any]:
    port = choose_ports(["ledger"], {}, random.Random())["ledger"]
    environment = os.environ | {
        "AML_NATS_URL": nats_url,
        "AML_DATABASE_URL": database_url,
        "AML_HTTP_PORT": str(port),
        "AML_FILES_DATASETS": str(folder),
        "AML_SIGNER_KEY_FILE": str(folder / "signer.key"),
        "AML_SIGNER_ORIGIN": "aml.bench/log",
    }
    process = subprocess.Popen([sys.executable, "-m", "aml.ledger"], env=environment, stderr=subprocess.DEVNULL)
    try:
        first = last = 0.0
        size = first_size = 0
        while size < EVENTS:
            size = _size(port)
            if size and not first:
                first, first_size = time.perf_counter(), size
            last = time.perf_counter()
            time.sleep(0.02)
        cpu = psutil.Process(process.pid).cpu_times()
        return {
            "events": EVENTS,
            "events_per_s": (size - first_size) / (last - first),
            "cpu_us_per_event": 1e6 * (cpu.user + cpu.system) / EVENTS,
        }
    finally:
        process.terminate()
        process.wait()


def _size(port: int) -> int:
    """The tree size of the last checkpoint; 0 before the first."""
    try:
        note = httpx.get(f"http://127.0.0.1:{port}/log/checkpoint", timeout=5.0)
    except httpx.TransportError:
        return 0
    return int(note.text.splitlines()[1]) if note.status_code == 200 else 0
