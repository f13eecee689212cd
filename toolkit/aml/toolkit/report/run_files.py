"""Saved results read back for a report: a suite's, a LongMemEval run's, or a pair of its arms. The fields say which."""

from pathlib import Path

import msgspec
from msgspec import Struct

from aml.toolkit.longmemeval.as_suite import as_suite_result
from aml.toolkit.longmemeval.result import LongMemEvalResult, PairedResult
from aml.toolkit.results.suite_result import SuiteResult

from .reference_rows import ReferenceRow


class RunUnreadable(Exception):
    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} is no saved result: {problem}; give a file that --json wrote")
        self.path = path
        self.problem = problem


class SavedRuns(Struct, frozen=True, kw_only=True):
    results: tuple[SuiteResult, ...]
    references: tuple[ReferenceRow, ...] = ()


def read_runs(path: Path) -> SavedRuns:
    """Raises `RunUnreadable`."""
    try:
        content = path.read_bytes()
        fields = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        if "both_scored" in fields:
            pair = msgspec.json.decode(content, type=PairedResult)
            return _longmemeval(pair.agent, pair.oracle)
        if "arm" in fields:
            return _longmemeval(LongMemEvalResult.from_json(content))
        return SavedRuns(results=(SuiteResult.from_json(content),))
    except OSError as error:
        raise RunUnreadable(path, error.strerror or str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RunUnreadable(path, str(error)) from None


def _longmemeval(*runs: LongMemEvalResult) -> SavedRuns:
    return SavedRuns(
        results=tuple(as_suite_result(run) for run in runs),
        references=tuple(
            ReferenceRow(label=row.system, overall=row.accuracy, questions=row.questions, source=row.source)
            for run in runs
            for row in run.published
        ),
    )
