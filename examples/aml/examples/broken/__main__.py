"""`python -m aml.examples.broken --fault NAME --port 9009`; `--list` says which there are."""

import argparse
import asyncio
import signal
from pathlib import Path

import uvloop
from aiohttp import web

from aml.examples.serve import command_line

from .faults import FAULTS
from .sound import Sound


def main() -> None:
    parser = command_line("A participant with one fault.")
    parser.add_argument("--fault", choices=FAULTS, default="none", metavar="NAME")
    parser.add_argument("--data", type=Path, help="journal file, so that it survives a restart")
    parser.add_argument("--list", action="store_true", help="name the faults and leave")
    options = parser.parse_args()
    if options.list:
        print("\n".join(f"{name}: {(fault.__doc__ or '').strip()}" for name, fault in FAULTS.items()))
        return
    uvloop.run(_serve(FAULTS[options.fault](token=options.token, journal=options.data), options))


async def _serve(server: Sound, options: argparse.Namespace) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    runner = web.AppRunner(server.application(), access_log=None, keepalive_timeout=75)
    await runner.setup()
    await web.TCPSite(runner, options.host, options.port).start()
    print(f"ready http://{options.host}:{runner.addresses[0][1]}", flush=True)
    await stop.wait()
    await runner.cleanup()


if __name__ == "__main__":
    main()
