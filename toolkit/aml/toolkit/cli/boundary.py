"""Where an error becomes one line on stderr and an exit code, and never a traceback unless asked for.

0  pass
1  the tool failed
2  bad usage; the platform refused what was asked for
3  below the threshold, or a check failed
4  incomplete: something is unscored, missing or not ready, or not possible before some time
"""

import sys
import traceback
from collections.abc import Callable, Sequence
from enum import IntEnum
from importlib import import_module

import typer


class ExitCode(IntEnum):
    PASS = 0
    TOOL_FAILED = 1
    BAD_USAGE = 2
    BELOW_THRESHOLD = 3
    INCOMPLETE = 4


class CommandFailed(Exception):
    """For commands: says what to do next, and which exit code it means."""

    def __init__(self, message: str, code: ExitCode = ExitCode.TOOL_FAILED) -> None:
        super().__init__(message)
        self.code = code


DEBUG = "--debug"
INTERRUPTED = 130


def run_command(command: Callable[[list[str]], object], arguments: Sequence[str]) -> int:
    """The exit code of `command`. `--debug` is understood anywhere among the arguments."""
    debug = DEBUG in arguments
    try:
        result = command([argument for argument in arguments if argument != DEBUG])
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except typer.Abort:
        _say("aborted")
        return ExitCode.TOOL_FAILED
    except Exception as error:  # noqa: BLE001 - the outermost edge: the user gets a line, `--debug` the whole story
        if debug:
            traceback.print_exc()
        # Knowing every error there is costs half a second of imports, which only a failing command pays.
        said = import_module(f"{__package__}.explain_error").explain(error)
        if said.line:
            _say(said.line)
        sys.stderr.writelines(f"  {line}\n" for line in said.beside)
        return int(said.code)
    return result if isinstance(result, int) else ExitCode.PASS


def _say(line: str) -> None:
    sys.stderr.write(f"aml: {line}\n")
