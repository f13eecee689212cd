"""The `aml` command. Only the module of the command that is called is imported: all of them together take a second."""

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module, metadata
from typing import Annotated

import typer

from .boundary import run_command
from .commands import COMMANDS

DISTRIBUTION = "agent-memory-leaderboard"


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"aml {metadata.version(DISTRIBUTION)}")
        raise typer.Exit


def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks. Understood anywhere on the line.")] = False,
) -> None:
    del version, debug  # the one is a callback, the other is taken out by `run_command`


def make_app(names: Iterable[str]) -> typer.Typer:
    app = typer.Typer(
        name="aml",
        help="Runs, audits and publishes fair comparisons of agent memory systems.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback()(options)
    for name in names:
        person, place = COMMANDS[name]
        module, _, attribute = place.partition(":")
        found = getattr(import_module(f"{__package__}.{module}"), attribute)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name, rich_help_panel=person)
        else:
            app.command(name, rich_help_panel=person)(found)
    return app


def needed(arguments: Sequence[str]) -> list[str]:
    """The command that is called; every one where help is wanted or no command is recognised, so that it can be suggested."""
    if "--version" in arguments:
        return []
    called = next((argument for argument in arguments if not argument.startswith("-")), "")
    return [called] if called in COMMANDS else list(COMMANDS)


def main() -> None:
    command = typer.main.get_command(make_app(needed(sys.argv[1:])))
    sys.exit(run_command(lambda arguments: command(arguments, prog_name="aml", standalone_mode=False), sys.argv[1:]))
