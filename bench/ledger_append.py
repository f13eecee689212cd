"""How fast the ledger appends, signs and proves, and that neither the log's length nor its tiles make an event dearer.

`measure`: a stream filled beforehand, one ledger process, a real Postgres; then proofs from the tiles that it wrote.
`measure_curve`: sequencer, signer and tiles in this process, at growing sizes of one log.
"""

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

from aml.contracts.events import encode_event
from aml.contracts.units import ChunkAdded
from aml.ledger.append_batch import StreamMessage
from aml.ledger.database import migrate, open_pool
from aml.ledger.log_store import FolderLogStore
from aml.ledger.public_log import PublicLog
from aml.ledger.sequencer import Sequencer
from aml.ledger.sign_head import sign_head
from aml.ledger.signer import Signer
from aml.ledger.tile_writer import TileWriter
from aml.rules.identity import subject_of
from aml.runtime.bus import Bus
from aml.runtime.clock import SystemClock
from aml.runtime.publish_once import publish_once
from aml.runtime.settings import DatabaseSettings, NatsSettings
from aml.toolkit.local import start_infra
from aml.toolkit.local.ports import choose_ports

EVENTS = 60_000
_AT_ONCE = 256


async def fill(nats_url: str) -> None:
    bus = Bus(NatsSettings(url=nats_url), name="bench")
    await bus.connect()
    for start in range(0, EVENTS, _AT_ONCE):
        await asyncio.gather(*(publish_once(bus, an_event(i)) for i in range(start, min(EVENTS, start + _AT_ONCE))))
    await bus.close()


def an_event(number: int) -> ChunkAdded:
    return ChunkAdded(
        at=1_700_000_000_000,
        job_id=f"bench-{number // 20_000}",
        unit=f"s{number // 100}-{number}",
        sample=f"s{number // 100}",
        index=number,
        messages=20,
        attempts=1,
        latency=1234,
        received=180,
        attempt_log=None,
    )


def messages(start: int, count: int) -> list[StreamMessage]:
    events = [an_event(number) for number in range(start, start + count)]
    return [StreamMessage(n, subject_of(event), encode_event(event)) for n, event in enumerate(events, start + 1)]


def measure_curve(sizes: tuple[int, ...] = (10_000, 100_000, 1_000_000), window: int = 8192) -> dict[str, Any]:
    """The cost of an event over the last `window` events before each size, and of a proof at that size."""
    with tempfile.TemporaryDirectory() as folder:
        infra = start_infra(Path(folder))
        try:
            return asyncio.run(_curve(infra.database_url_with_password, Path(folder), sizes, window))
        finally:
            infra.stop(remove=True)


async def _curve(database_url: str, folder: Path, sizes: tuple[int, ...], window: int) -> dict[str, Any]:
    clock, origin = SystemClock(), "aml.bench/log"
    signer = Signer.from_file(folder / "signer.key", origin)
    store = FolderLogStore(folder / "public")
    tiles = TileWriter(store, origin)
    pool = open_pool(DatabaseSettings(url=database_url))
    await pool.open()
    async with pool.connection() as connection:
        await migrate(connection)
    sequencer = Sequencer(pool, clock, on_closable=lambda: None)

    async def grow(start: int, stop: int) -> tuple[float, float]:
        """Wall and CPU seconds, without the making of events: two batches to a checkpoint, as under full load."""
        wall = cpu = 0.0
        for at in range(start, stop, 2048):
            batches = [messages(low, min(1024, stop - low)) for low in range(at, min(at + 2048, stop), 1024)]
            began, used = time.perf_counter(), time.process_time()
            for batch in batches:
                await sequencer.append(batch)
            await sign_head(pool, signer, tiles, clock)
            wall, cpu = wall + time.perf_counter() - began, cpu + time.process_time() - used
        return wall, cpu

    curve, size = [], 0
    try:
        for target in sizes:
            await grow(size, target - window)
            wall, cpu = await grow(target - window, target)
            size = target
            proof = await _proof_ms(store, size)
            curve.append(
                {"entries": size, "us_per_event": 1e6 * wall / window, "cpu_us_per_event": 1e6 * cpu / window} | proof
            )
    finally:
        await pool.close()
    return {"curve": curve, "growth": curve[-1]["cpu_us_per_event"] / curve[0]["cpu_us_per_event"]}


async def _proof_ms(store: FolderLogStore, size: int, proofs: int = 300) -> dict[str, float]:
    """Of entries all over the log, from its files alone; the encoded tlog-proof included."""
    log, choose, took = PublicLog(store), random.Random(7), []
    for _ in range(proofs):
        began = time.perf_counter()
        assert await log.prove(choose.randrange(size)) is not None
        took.append(1000 * (time.perf_counter() - began))
    took.sort()
    return {"proof_p50_ms": took[proofs // 2], "proof_p99_ms": took[proofs * 99 // 100]}


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
        "AML_LOG_STORE_URL": (folder / "public").as_uri(),
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
        proof = asyncio.run(_proof_ms(FolderLogStore(folder / "public"), size))
        return proof | {
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
