"""`python -m aml.publisher`: keeps the public board up to date until it is stopped."""

import os

from aml.runtime.bus import Bus
from aml.runtime.serve import http_server, probe_routes, run_process, until_stopped
from aml.runtime.settings import read_settings
from aml.runtime.telemetry import configure_logging

from .bootstrap import publisher
from .settings import PublisherSettings


async def main() -> None:
    settings = read_settings(PublisherSettings, os.environ)  # noqa: TID251 - the one place that reads it
    configure_logging(settings.log, "publisher")
    stop = await until_stopped()
    bus = Bus(settings.nats, name="publisher")
    async with publisher(settings, bus) as (loop, checks), http_server(settings.http, probe_routes(checks)):
        try:
            await bus.connect()
            await loop.run(stop)
        finally:
            await bus.close()


if __name__ == "__main__":
    run_process(main)
