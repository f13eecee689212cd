"""Wires the gateway: the HTTP server first, so that probes answer; then database, broker, relay and projection."""

import asyncio
import contextlib
import socket

import structlog
from granian.constants import HTTPModes, Interfaces
from granian.server.embed import Server
from litestar.types import ASGIApp

from aml.contracts.cycle import Cycle
from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus
from aml.runtime.clock import SystemClock
from aml.runtime.cycle_folder import CycleError, load_cycles
from aml.runtime.evidence import EvidenceStore, object_store
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.pipeline_digest import pipeline_digest
from aml.runtime.serve import until_stopped
from aml.runtime.settings import HttpSettings, SettingsError
from aml.runtime.vault import KeyDeposit

from .access.check_turns import CheckTurns
from .access.retired_secrets import RetiredSecrets
from .app import make_app, make_edge
from .donations.proposal_queries import load_package_files
from .edge.strangers import Strangers
from .keys.role_keys import admit_first_operator
from .parts import Parts
from .probes import make_readiness
from .public.releases import KnownReleases, lock_releases
from .read_model.projection import Projection
from .read_model.retention import Retention, shredder
from .settings import GatewaySettings
from .storage.database import Database
from .storage.leadership import lead
from .storage.outbox import OutboxRelay
from .storage.start_queries import load_installation_id

log = structlog.get_logger()

STOP_SECONDS = 10.0


def make_parts(settings: GatewaySettings) -> Parts:
    """Opens nothing but files that the settings name. Raises `SettingsError`."""
    if settings.operator.key_file is not None and not settings.operator.key_file.is_file():
        raise SettingsError("AML_OPERATOR_KEY_FILE", f"({settings.operator.key_file}) is no file")
    store = object_store(settings.evidence.url)
    kek = KeyEncryptionKey.from_file(settings.evidence.kek_file)
    database = Database(settings.database)
    bus = Bus(settings.nats, name="aml-gateway")
    evidence = EvidenceStore(store, kek)
    return Parts(
        settings=settings,
        clock=SystemClock(),
        database=database,
        bus=bus,
        evidence=evidence,
        vault=KeyDeposit(store, kek),
        check_turns=CheckTurns(0 if settings.network.allow_private else settings.intake.checks_per_minute),
        strangers=Strangers(0 if settings.network.allow_private else settings.intake.strangers_per_day),
        kek=kek,
        outbox=OutboxRelay(database, bus),
        releases=KnownReleases.read(settings.files.releases, settings.release.default),
        cycles=read_cycles(settings),
        pipeline=pipeline_digest(),
        readiness=make_readiness(database, bus, evidence),
    )


def read_cycles(settings: GatewaySettings) -> tuple[Cycle, ...]:
    """Raises `SettingsError`: a gateway must not open or close a cycle by somebody else's dates."""
    try:
        return load_cycles(settings.files.cycles)
    except CycleError as error:
        raise SettingsError("AML_FILES_CYCLES", f"cannot be used: {error}") from None


async def serve(settings: GatewaySettings) -> None:
    """Until SIGTERM or SIGINT."""
    stop = await until_stopped()
    require_free_port(settings.http)
    parts = make_parts(settings)
    async with http_server(make_edge(make_app(parts), settings.rate), settings.http, parts):
        starting = asyncio.create_task(start(parts))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            installation_id = starting.result()
            log.info("gateway.ready", port=settings.http.port)
            await lead(parts.database, lambda until: work(parts, installation_id, until), stop)
        else:
            starting.cancel()
            await asyncio.wait({starting})
        await stopping
    await parts.bus.close()
    await parts.database.close()


def require_free_port(settings: HttpSettings) -> None:
    """Granian panics on a taken port, or shares it. Raises `SettingsError`."""
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            problem = f"({settings.host}:{settings.port}) cannot be listened on: {error.strerror}"
            raise SettingsError("AML_HTTP_PORT", problem) from None


async def start(parts: Parts) -> str:
    """Waits for what is needed, as long as it takes. Returns this database's id."""
    await parts.database.open()
    while True:
        try:
            await parts.bus.connect()
            break
        except (TimeoutError, *TRANSIENT_BUS_ERRORS):
            log.warning("bus.away")
    await admit_first_operator(parts)
    await lock_releases(parts.database, parts.releases, parts.pipeline, parts.clock)
    async with parts.database.read() as connection:
        installation_id = await load_installation_id(connection)
        kept = await load_package_files(connection)
    if gone := await asyncio.to_thread(parts.packages.sweep, kept):
        log.info("donations.swept", files=gone)
    parts.ready.set()
    return installation_id


async def work(parts: Parts, installation_id: str, until: asyncio.Event) -> None:
    """What only the leading process does."""
    projection = Projection(parts.bus, parts.database, installation_id=installation_id, halted=parts.halted)
    store = object_store(parts.settings.evidence.url)
    retention = Retention(parts.database, parts.clock, shredder(store, parts.bus), days=parts.settings.retention.days)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(parts.outbox.run(until))
        tasks.create_task(projection.run(until))
        tasks.create_task(retention.run(until))
        tasks.create_task(RetiredSecrets(parts.database, parts.vault).run(until))


@contextlib.asynccontextmanager
async def http_server(app: ASGIApp, settings: HttpSettings, parts: Parts):  # type: ignore[no-untyped-def]
    """Granian in this process and on this loop. At the end, requests under way are answered and streams are ended."""
    server = Server(
        app,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,
        websockets=False,
        log_enabled=False,
        backlog=1024,
    )
    serving = asyncio.create_task(server.serve())
    try:
        yield
    finally:
        parts.stopping.set()
        server.stop()  # type: ignore[no-untyped-call]
        with contextlib.suppress(TimeoutError):  # a client that does not read its answer is left behind
            await asyncio.wait_for(serving, STOP_SECONDS)
