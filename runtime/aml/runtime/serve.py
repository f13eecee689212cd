"""A worker's frame: probes over HTTP, signals, and an orderly end.

`/health/live` says that the loop turns; `/health/ready` asks every named check and lists what is wrong; `/metrics` is
Prometheus text.
"""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import structlog
import uvloop
from aiohttp import web
from prometheus_client import generate_latest

from .garbage import settle
from .readiness import Check, Readiness
from .settings import HttpSettings, SettingsError

log = structlog.get_logger()


def probe_routes(checks: Mapping[str, Check]) -> list[web.RouteDef]:
    readiness = Readiness(checks)

    async def live(_: web.Request) -> web.Response:
        return web.json_response({"status": "live"})

    async def ready(_: web.Request) -> web.Response:
        problems = await readiness.problems()
        status = "not ready" if problems else "ready"
        return web.json_response({"status": status, "problems": problems}, status=503 if problems else 200)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=generate_latest(), content_type="text/plain")

    return [web.get("/health/live", live), web.get("/health/ready", ready), web.get("/metrics", metrics)]


@contextlib.asynccontextmanager
async def http_server(settings: HttpSettings, routes: list[web.RouteDef]) -> Any:
    application = web.Application()
    application.add_routes(routes)
    server = web.AppRunner(application, access_log=None, handle_signals=False)
    await server.setup()
    try:
        await web.TCPSite(server, settings.host, settings.port).start()
        yield
    finally:
        await server.cleanup()


async def until_stopped() -> asyncio.Event:
    """An event that SIGTERM and SIGINT set. Call inside the running loop."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


def run_process(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """A process's outermost call: known start-up errors become one line and exit code 2."""
    settle()
    try:
        uvloop.run(main())
    except SettingsError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)
