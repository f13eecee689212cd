"""Where an error becomes one line on stderr and an exit code, and never a traceback unless asked for.

0  pass
1  the tool failed
2  bad usage
3  below the threshold, or a check failed
4  incomplete: something is unscored, missing or not ready
"""

import sys
import traceback
from collections.abc import Callable, Sequence
from enum import IntEnum

import typer
from typer import TyperException

from aml.ingest.benchmarks import BenchmarkError
from aml.runtime.evidence import EvidenceUnavailable
from aml.runtime.settings import SettingsError
from aml.toolkit.audit.errors import AuditError
from aml.toolkit.evaluation.errors import EvaluationError, WrongUsage
from aml.toolkit.evidence.errors import EvidenceError, JobNotOver, JobUnknown, NothingToRetire
from aml.toolkit.local import LocalStackError, StartFailed
from aml.toolkit.platform_client import PlatformError, PlatformRefused


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
        line, code = explain(error)
        if line:
            _say(line)
        if isinstance(error, StartFailed):
            sys.stderr.writelines(f"  {said}\n" for said in error.log_tail)
        return code
    return result if isinstance(result, int) else ExitCode.PASS


def explain(error: Exception) -> tuple[str, ExitCode]:
    match error:
        case CommandFailed():
            return str(error), error.code
        case SettingsError() | WrongUsage() | JobNotOver() | JobUnknown() | NothingToRetire():
            return str(error), ExitCode.BAD_USAGE
        case BenchmarkError():
            return f"--dataset: {error}; give the file as its source publishes it", ExitCode.BAD_USAGE
        case PlatformRefused(status=409 | 422):
            return str(error), ExitCode.BAD_USAGE
        case (
            AuditError()
            | EvidenceError()
            | EvidenceUnavailable()
            | LocalStackError()
            | EvaluationError()
            | PlatformError()
        ):
            return str(error), ExitCode.TOOL_FAILED
        case TyperException():
            said = _one_line(error.format_message())
            return f"{said} (see --help)" if said else "", ExitCode.BAD_USAGE  # silent: the help was printed instead
        case _:
            said = _one_line(str(error)) or "no message"
            return f"unexpected {type(error).__name__}: {said} (again with {DEBUG} shows where)", ExitCode.TOOL_FAILED


def _say(line: str) -> None:
    sys.stderr.write(f"aml: {line}\n")


def _one_line(text: str) -> str:
    return " ".join(text.split())
