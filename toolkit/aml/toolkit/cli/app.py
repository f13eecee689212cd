"""The `aml` command: every sub-command is registered here."""

import sys
from importlib import metadata
from typing import Annotated

import typer

from . import audit, check, demo, evidence, judge, ledger_keys, projection, run, stack, witness
from .boundary import run_command

DISTRIBUTION = "agent-memory-leaderboard"

app = typer.Typer(
    name="aml",
    help="Runs, audits and publishes fair comparisons of agent memory systems.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"aml {metadata.version(DISTRIBUTION)}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks. Understood anywhere on the line.")] = False,
) -> None:
    del version, debug  # the one is a callback, the other is taken out by `run_command`


app.command("check")(check.check)
app.command("demo")(demo.demo)
app.command("run")(run.run)
app.command("up")(stack.up)
app.command("status")(stack.status)
app.command("down")(stack.down)
app.add_typer(audit.app, name="audit")
app.add_typer(judge.app, name="judge")
app.add_typer(evidence.app, name="evidence")
app.add_typer(ledger_keys.app, name="ledger")
app.add_typer(projection.app, name="projection")
app.add_typer(witness.app, name="witness")


def main() -> None:
    command = typer.main.get_command(app)
    sys.exit(run_command(lambda arguments: command(arguments, prog_name="aml", standalone_mode=False), sys.argv[1:]))
