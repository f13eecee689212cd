"""`python -m aml.gateway`: reads the settings, serves."""

import os

from aml.runtime.serve import run_process
from aml.runtime.settings import read_settings
from aml.runtime.telemetry import configure_logging

from .bootstrap import serve
from .settings import GatewaySettings


async def main() -> None:
    settings = read_settings(GatewaySettings, os.environ)  # noqa: TID251  the one place
    configure_logging(settings.log, "gateway")
    await serve(settings)


if __name__ == "__main__":
    run_process(main)
