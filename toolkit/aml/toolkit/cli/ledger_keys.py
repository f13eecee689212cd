"""`aml ledger keygen`, `rotate`, `verifier`: the log's signing keys."""

from pathlib import Path
from typing import Annotated

import typer

from aml.ledger.errors import SignerKeyInvalid
from aml.ledger.log_keys import finish_rotation, generate_keys, published_keys, read_keys, rotate_keys

from .boundary import CommandFailed, ExitCode

app = typer.Typer(help="Make, rotate and publish the log's signing keys.", no_args_is_help=True)

KeyFile = Annotated[
    Path, typer.Option("--key", help="The ledger's AML_SIGNER_KEY_FILE.", dir_okay=False, envvar="AML_SIGNER_KEY_FILE")
]
Origin = Annotated[
    str, typer.Option("--origin", help="The log's name, as log.example.org/aml.", envvar="AML_SIGNER_ORIGIN")
]


@app.command()
def keygen(key: KeyFile, origin: Origin) -> None:
    """Make the log's first key, and print its verifier key. The ledger does the same at its first start."""
    if key.exists():
        raise CommandFailed(f"{key} exists; `aml ledger rotate` replaces a key", ExitCode.BAD_USAGE)
    try:
        typer.echo(str(generate_keys(key, origin)[0].key))
    except (SignerKeyInvalid, OSError) as error:
        raise CommandFailed(str(error), ExitCode.BAD_USAGE) from None


@app.command()
def rotate(
    key: KeyFile,
    origin: Origin,
    finish: Annotated[bool, typer.Option("--finish", help="End the overlap: destroy the older key.")] = False,
) -> None:
    """Put a new key beside the current one; both sign from the next checkpoint on. Prints the new verifier key."""
    try:
        keys = finish_rotation(key, origin) if finish else rotate_keys(key, origin)
    except (SignerKeyInvalid, OSError) as error:
        raise CommandFailed(str(error), ExitCode.BAD_USAGE) from None
    typer.echo(str(keys[0].key))


@app.command()
def verifier(
    key: KeyFile,
    origin: Origin,
    every: Annotated[bool, typer.Option("--all", help="Also the keys that sign no more.")] = False,
) -> None:
    """Print the verifier key that readers of this log should use."""
    try:
        current = read_keys(key, origin)[0].key
        shown = published_keys(key) if every else (current,)
    except SignerKeyInvalid as error:
        raise CommandFailed(str(error), ExitCode.BAD_USAGE) from None
    for each in shown:
        typer.echo(str(each))
