"""`aml witness keygen`, `aml witness serve`."""

import asyncio
from pathlib import Path
from typing import Annotated

import structlog
import typer
import uvloop

from aml.runtime.clock import SystemClock
from aml.runtime.serve import http_server, until_stopped
from aml.runtime.settings import HttpSettings, LogSettings
from aml.runtime.telemetry import configure_logging
from aml.toolkit.witness.errors import WitnessUnusable
from aml.toolkit.witness.witness_api import WitnessApi, log_keys
from aml.toolkit.witness.witness_key import make_cosigner, read_cosigner
from aml.toolkit.witness.witness_memory import WitnessMemory

from .boundary import CommandFailed, ExitCode

log = structlog.get_logger()

app = typer.Typer(help="Watch other people's logs: cosign what only grew, refuse what forked.", no_args_is_help=True)

KeyFile = Annotated[Path, typer.Option("--key", help="The witness's private key.", dir_okay=False)]


@app.command()
def keygen(
    key: KeyFile, name: Annotated[str, typer.Option("--name", help="As witness.example.org; for ever.")]
) -> None:
    """Make the witness's key and print its verifier key, for other people's policies."""
    try:
        made = make_cosigner(key, name)
    except WitnessUnusable as error:
        raise CommandFailed(str(error), ExitCode.BAD_USAGE) from None
    typer.echo(str(made.key))


@app.command()
def verifier(key: KeyFile) -> None:
    """Print the witness's verifier key."""
    try:
        typer.echo(str(read_cosigner(key).key))
    except WitnessUnusable as error:
        raise CommandFailed(str(error), ExitCode.BAD_USAGE) from None


@app.command()
def serve(
    key: KeyFile,
    logs: Annotated[
        list[Path], typer.Option("--log", help="File of verifier keys of logs to watch, one a line. Repeatable.")
    ],
    state: Annotated[Path, typer.Option("--state", help="Folder for what was cosigned last.", file_okay=False)],
    host: Annotated[str, typer.Option("--host")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port")] = 8080,
) -> None:
    """Answer add-checkpoint (C2SP tlog-witness) until interrupted. Never delete the state folder: it is the witness."""
    try:
        cosigner = read_cosigner(key)
        watched = log_keys(line for file in logs for line in _lines(file))
        with WitnessMemory(state) as memory:
            configure_logging(LogSettings(), "witness")
            api = WitnessApi(cosigner, watched, memory, SystemClock())
            uvloop.run(_serve(api, HttpSettings(host=host, port=port)))
    except WitnessUnusable as error:
        raise CommandFailed(str(error), ExitCode.BAD_USAGE) from None


async def _serve(api: WitnessApi, http: HttpSettings) -> None:
    stop: asyncio.Event = await until_stopped()
    async with http_server(http, api.routes()):
        log.info("witness.ready", host=http.host, port=http.port)
        await stop.wait()


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise WitnessUnusable(f"{file} cannot be read: {type(error).__name__}") from None
