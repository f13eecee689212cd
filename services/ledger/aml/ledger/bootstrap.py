"""Wires the ledger: one appender, the closer of jobs, the reconciler, and the log over HTTP."""

import asyncio

import structlog

from aml.contracts.release import Release
from aml.runtime.bus import Bus
from aml.runtime.clock import SystemClock
from aml.runtime.release_folder import ReleaseError
from aml.runtime.releases import Releases
from aml.runtime.serve import http_server, probe_routes, until_stopped

from .append_stream import StreamAppender
from .close_jobs import JobCloser
from .database import DATABASE_AWAY, Pool, database_problem, migrate, open_pool
from .read_api import LogReader
from .reconcile import Reconciler
from .sequencer import Sequencer
from .settings import LedgerSettings
from .signer import Signer
from .stream_reader import StreamReader

log = structlog.get_logger()


async def serve(settings: LedgerSettings) -> None:
    """Until SIGTERM or SIGINT. Raises `SignerKeyInvalid` when the key cannot be used."""
    stop = await until_stopped()
    await run_ledger(settings, stop)


async def run_ledger(settings: LedgerSettings, stop: asyncio.Event) -> None:
    clock = SystemClock()
    signer = Signer.from_file(settings.signer.key_file, settings.signer.origin)
    pool = open_pool(settings.database)
    bus = Bus(settings.nats, name="aml-ledger")
    releases = Releases(settings.files.releases)

    def release_of(release_id: str) -> tuple[Release, str] | None:
        try:
            return releases.of(release_id)
        except ReleaseError as error:
            log.warning("gate.release_unusable", release_id=release_id, problem=str(error))
            return None

    closer = JobCloser(bus, pool, clock, release_of)
    appender = StreamAppender(pool, Sequencer(pool, clock, on_closable=closer.wake), signer, clock, stop)
    reconciler = Reconciler(bus, pool, clock, settings.append.stall_seconds)
    reader = StreamReader(
        bus,
        batch_events=settings.append.batch_events,
        gather_seconds=settings.append.gather_ms / 1000,
        load_place=appender.load_place,
        append=appender.append,
        on_stream_lost=reconciler.stream_lost,
    )
    migrated = asyncio.Event()

    async def bus_up() -> str | None:
        return None if bus.connected else "the broker is unreachable"

    async def database_up() -> str | None:
        return await database_problem(pool) or (None if migrated.is_set() else "the tables are not set up yet")

    async def log_grows() -> str | None:
        return appender.problem

    checks = {"bus": bus_up, "database": database_up, "log": log_grows}
    async with http_server(settings.http, [*probe_routes(checks), *LogReader(pool, signer).routes()]):
        await pool.open(wait=False)
        try:
            await _migrate_when_up(pool, stop)
            if stop.is_set():
                return
            migrated.set()
            await _connect_when_up(bus, stop)
            if stop.is_set():
                return
            await appender.sign()
            log.info("ledger.ready", verifier=str(signer.key))
            tasks = [asyncio.create_task(each.run(stop)) for each in (reader, closer, reconciler)]
            await _until_stopped(stop, tasks, closer, reconciler)
        finally:
            stop.set()
            await bus.close()
            await pool.close()


async def _until_stopped(
    stop: asyncio.Event, tasks: list[asyncio.Task[None]], closer: JobCloser, reconciler: Reconciler
) -> None:
    """A task that ends by itself ends the process: its supervisor starts it again."""
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({stopping, *tasks}, return_when=asyncio.FIRST_COMPLETED)
    stop.set()
    closer.wake()
    reconciler.wake()
    await asyncio.gather(*tasks)
    await stopping


async def _migrate_when_up(pool: Pool, stop: asyncio.Event) -> None:
    while not stop.is_set():
        try:
            async with pool.connection() as connection:
                await migrate(connection)
        except DATABASE_AWAY as error:
            log.warning("database.away", error=type(error).__name__)
            await asyncio.sleep(0.2)
        else:
            return


async def _connect_when_up(bus: Bus, stop: asyncio.Event) -> None:
    while not stop.is_set():
        try:
            await bus.connect(deadline_seconds=5.0)
        except TimeoutError:
            log.warning("bus.away")
        else:
            return
