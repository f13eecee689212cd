"""Wires the ledger: one appender, the checkpointer, the closer of jobs, the reconciler, and the log over HTTP."""

import asyncio
import contextlib
from pathlib import Path

import structlog

from aml.contracts.release import Release
from aml.rules.witness_policy import PolicyInvalid, parse_policy
from aml.runtime.bus import Bus
from aml.runtime.clock import SystemClock
from aml.runtime.release_folder import ReleaseError
from aml.runtime.releases import Releases
from aml.runtime.serve import http_server, probe_routes, until_stopped

from .append_stream import StreamAppender
from .checkpoint_log import Checkpointer
from .close_jobs import JobCloser
from .cosign_head import cosign_head
from .database import DATABASE_AWAY, Pool, database_problem, migrate, open_pool
from .errors import PolicyUnusable
from .log_store import open_log_store
from .public_log import PublicLog
from .read_api import LogReader
from .reconcile import Reconciler
from .sequencer import Sequencer
from .settings import LedgerSettings
from .sign_head import sign_head
from .signer import Signer
from .stream_reader import StreamReader
from .tile_writer import TileWriter
from .witnesses import Witnesses

log = structlog.get_logger()


async def serve(settings: LedgerSettings) -> None:
    """Until SIGTERM or SIGINT. Raises `SignerKeyInvalid` when the key cannot be used, `PolicyUnusable` for the policy."""
    stop = await until_stopped()
    await run_ledger(settings, stop)


async def run_ledger(settings: LedgerSettings, stop: asyncio.Event) -> None:
    clock = SystemClock()
    signer = Signer.from_file(settings.signer.key_file, settings.signer.origin)
    policy = _read_policy(settings.witness.policy_file)
    store = open_log_store(settings.log_store.url)
    tiles = TileWriter(store, settings.signer.origin)
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
    witnesses = Witnesses(parse_policy(policy)) if policy is not None else None

    async def sign() -> None:
        await sign_head(pool, signer, tiles, clock, publish=witnesses is None)

    async def ask_witnesses() -> None:
        if witnesses is not None:
            await cosign_head(pool, witnesses, tiles, clock)

    checkpointer = Checkpointer((sign, ask_witnesses), interval_seconds=settings.log_store.interval_ms / 1000)
    appender = StreamAppender(
        pool,
        Sequencer(pool, clock, on_closable=closer.wake),
        stop,
        refusal=lambda: checkpointer.refusal,
        on_appended=checkpointer.wake,
    )
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
        return appender.problem or checkpointer.problem

    checks = {"bus": bus_up, "database": database_up, "log": log_grows}
    routes = [*probe_routes(checks), *LogReader(pool, signer, policy).routes(), *PublicLog(store).routes()]
    async with http_server(settings.http, routes), witnesses or contextlib.nullcontext():
        await pool.open(wait=False)
        try:
            await _migrate_when_up(pool, stop)
            if stop.is_set():
                return
            migrated.set()
            await _connect_when_up(bus, stop)
            if stop.is_set():
                return
            await checkpointer.until_signed(stop)
            log.info("ledger.ready", verifier=str(signer.key))
            tasks = [asyncio.create_task(each.run(stop)) for each in (reader, checkpointer, closer, reconciler)]
            await _until_stopped(stop, tasks, (checkpointer, closer, reconciler))
        finally:
            stop.set()
            await bus.close()
            await pool.close()


async def _until_stopped(
    stop: asyncio.Event, tasks: list[asyncio.Task[None]], sleepers: tuple[Checkpointer | JobCloser | Reconciler, ...]
) -> None:
    """A task that ends by itself ends the process: its supervisor starts it again."""
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({stopping, *tasks}, return_when=asyncio.FIRST_COMPLETED)
    stop.set()
    for each in sleepers:
        each.wake()
    await asyncio.gather(*tasks)
    await stopping


def _read_policy(file: Path | None) -> str | None:
    """The policy's text, once it has been understood. Raises `PolicyUnusable`."""
    if file is None:
        return None
    try:
        text = file.read_text("utf-8")
        parse_policy(text)
    except (OSError, UnicodeDecodeError, PolicyInvalid) as error:
        raise PolicyUnusable(file, str(error)) from None
    return text


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
