"""`aml demo`: one command from nothing to a published, verified board."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from aml.toolkit.demo.board_folder import require_free
from aml.toolkit.demo.demo_print import print_demo
from aml.toolkit.demo.perform import Staging, perform
from aml.toolkit.evaluation.progress import progress_view
from aml.toolkit.local import LocalStack

from .boundary import ExitCode
from .interruption import interrupted_by_sigterm
from .output_file import check_output, write_json
from .stack import named_folder
from .terminal import make_console

DEFAULT_BOARD = Path("board")


def demo(
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the whole outcome there.")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the stack running, and say how to stop it.")] = False,
    home: Annotated[
        Path | None,
        typer.Option(
            "--home",
            help="Data folder that stays; without it a temporary one.",
            metavar="DIRECTORY",
            parser=named_folder,
        ),
    ] = None,
    board: Annotated[
        Path | None,
        typer.Option(
            "--board", help="Where the board's files go: ./board, or with --home inside of it.", file_okay=False
        ),
    ] = None,
) -> None:
    """Walk two example systems and three baselines from an access request to a published board.

    Exit codes: 0 all of it was there and verified, 1 the tool failed, 2 bad usage, 4 something is missing.
    """
    check_output("--json", json)
    place = board or (DEFAULT_BOARD if home is None and not keep else None)
    if place is not None:
        require_free(place)
    console = make_console()
    with interrupted_by_sigterm(), _stack(home, keep=keep) as stack:
        with progress_view(console) as view:
            performed = perform(stack, Staging(keep=keep, board=place), view)
        outcome = performed.outcome
        print_demo(console, outcome, performed.board)
        write_json(json, outcome)
    raise typer.Exit(ExitCode.PASS if outcome.complete else ExitCode.INCOMPLETE)


@contextmanager
def _stack(home: Path | None, *, keep: bool) -> Iterator[LocalStack]:
    """A temporary data folder goes with the demo, unless it failed: then its logs are what one wants to read."""
    if home is not None:
        yield LocalStack(home)
        return
    folder = Path(tempfile.mkdtemp(prefix="aml-demo-"))
    folder.chmod(0o755)  # Postgres runs as another user where this is root, and must pass through
    stack = LocalStack(folder)
    try:
        yield stack
    except KeyboardInterrupt:
        stack.remove()
        raise
    except Exception:
        sys.stderr.write(f"aml: the demo's data and logs stay in {folder}\n")
        raise
    if not keep:
        stack.remove()
