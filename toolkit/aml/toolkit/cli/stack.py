"""`aml up`, `aml status`, `aml down`."""

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from aml.runtime.settings import read_settings
from aml.toolkit.local import LocalStack
from aml.toolkit.local.assembly import assemble
from aml.toolkit.local.home import make_home
from aml.toolkit.local.settings import StackSettings
from aml.toolkit.local.stack_status import look
from aml.toolkit.local.state import read_live_state
from aml.toolkit.local.supervise import supervise

from .boundary import ExitCode
from .stack_view import ForegroundReport, print_json, print_running, print_status


def named_folder(text: str | Path) -> Path:
    """An empty name would mean the current folder, and a data folder is nothing to spill into it."""
    if not str(text).strip():
        raise typer.BadParameter("is empty; name a folder, or leave the option out")
    folder = Path(text)
    if folder.exists() and not folder.is_dir():
        raise typer.BadParameter(f"{folder} is a file; name a folder")
    return folder


Home = Annotated[
    Path,
    typer.Option(
        "--home", envvar="AML_HOME", help="Folder for data, secrets and logs.", metavar="DIRECTORY", parser=named_folder
    ),
]
DEFAULT_HOME = Path(".aml")


def up(
    home: Home = DEFAULT_HOME,
    detach: Annotated[bool, typer.Option("--detach", "-d", help="Return when everything is ready.")] = False,
) -> None:
    """Start NATS, Postgres and the six services on this machine."""
    console = Console()
    environ = dict(os.environ)  # noqa: TID251 - this command's one reading of it
    settings = read_settings(StackSettings, environ)
    stack = LocalStack(home)
    found = read_live_state(stack.layout)
    if detach or (found is not None and found.phase in ("starting", "ready")):
        print_running(console, stack.ensure_running())
        return
    layout = make_home(home)
    supervise(layout, lambda: assemble(layout, settings, environ), ForegroundReport(console, layout), environ)


def status(
    home: Home = DEFAULT_HOME,
    json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
) -> None:
    """Show every process, its port and its health. Exit code 1: nothing runs; 4: something is not ready."""
    found = look(LocalStack(home).layout)
    if json:
        print_json(found)
    else:
        print_status(Console(), found)
    if not found.running:
        raise typer.Exit(ExitCode.TOOL_FAILED)
    if not found.ready:
        raise typer.Exit(ExitCode.INCOMPLETE)


def down(home: Home = DEFAULT_HOME) -> None:
    """Stop everything and wait for it. Data stays."""
    stopped = LocalStack(home).stop()
    Console().print(f"{'stopped' if stopped else 'nothing runs in'} {home}", highlight=False, soft_wrap=True)
