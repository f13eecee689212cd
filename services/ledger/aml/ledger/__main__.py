"""`python -m aml.ledger`: reads the settings, serves."""

import os
import sys

from aml.runtime.serve import run_process
from aml.runtime.settings import read_settings
from aml.runtime.telemetry import configure_logging

from .bootstrap import serve
from .errors import PolicyUnusable, SignerKeyInvalid
from .settings import LedgerSettings


async def main() -> None:
    settings = read_settings(LedgerSettings, os.environ)  # noqa: TID251  the one place
    configure_logging(settings.log, "ledger")
    try:
        await serve(settings)
    except (SignerKeyInvalid, PolicyUnusable) as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)


if __name__ == "__main__":
    run_process(main)
