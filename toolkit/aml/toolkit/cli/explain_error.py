"""Every error that a command can end with: its one line, and its exit code."""

from collections.abc import Sequence

from msgspec import Struct
from typer import TyperException

from aml.ingest.benchmarks import BenchmarkError
from aml.runtime.evidence import EvidenceUnavailable
from aml.runtime.settings import SettingsError
from aml.toolkit.agents.errors import AgentError
from aml.toolkit.audit.errors import AuditError
from aml.toolkit.baselines.store import BaselineError
from aml.toolkit.evaluation.errors import EvaluationError, WrongUsage
from aml.toolkit.evidence.errors import EvidenceError, JobNotOver, JobUnknown, NothingToRetire
from aml.toolkit.local import LocalStackError, StartFailed
from aml.toolkit.longmemeval.errors import JudgeUndecided, LongMemEvalError, ReleaseNotOffered
from aml.toolkit.platform import PlatformError, PlatformRefused
from aml.toolkit.report import ReportUnwritable
from aml.toolkit.shown_text import one_line
from aml.toolkit.suites.errors import SuiteError, SuiteUnwritable

from .boundary import DEBUG, CommandFailed, ExitCode


class Explained(Struct, frozen=True):
    line: str
    code: ExitCode
    beside: Sequence[str] = ()
    """Lines of a log that belong to it."""


def explain(error: Exception) -> Explained:
    line, code = _line_and_code(error)
    return Explained(line, code, tuple(error.log_tail) if isinstance(error, StartFailed) else ())


def _line_and_code(error: Exception) -> tuple[str, ExitCode]:
    match error:
        case CommandFailed():
            return str(error), error.code
        case SettingsError() | WrongUsage() | JobNotOver() | JobUnknown() | NothingToRetire():
            return str(error), ExitCode.BAD_USAGE
        case BenchmarkError():
            return f"--dataset: {error}; give the file as its source publishes it", ExitCode.BAD_USAGE
        case PlatformRefused(status=400 | 401 | 403 | 404 | 409 | 413 | 422):
            return str(error), ExitCode.BAD_USAGE
        case PlatformRefused(status=429) | JudgeUndecided():
            return str(error), ExitCode.INCOMPLETE
        case (
            AuditError()
            | EvidenceError()
            | EvidenceUnavailable()
            | LocalStackError()
            | EvaluationError()
            | PlatformError()
            | SuiteUnwritable()
            | ReleaseNotOffered()
            | ReportUnwritable()
        ):
            return str(error), ExitCode.TOOL_FAILED
        case SuiteError() | AgentError() | BaselineError() | LongMemEvalError():
            return str(error), ExitCode.BAD_USAGE
        case TyperException():
            said = one_line(error.format_message())
            return f"{said} (see --help)" if said else "", ExitCode.BAD_USAGE  # silent: the help was printed instead
        case _:
            said = one_line(str(error)) or "no message"
            return f"unexpected {type(error).__name__}: {said} (again with {DEBUG} shows where)", ExitCode.TOOL_FAILED
