"""The report as a file, which appears whole or not at all."""

from collections.abc import Sequence
from pathlib import Path

from aml.contracts.vocabulary import Language
from aml.toolkit.baselines.baseline import Baseline
from aml.toolkit.results.suite_result import SuiteResult
from aml.toolkit.whole_file import whole_file

from .reference_rows import ReferenceRow
from .render import render_report


class ReportUnwritable(Exception):
    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"the report {path} could not be written: {problem}; name a file in a folder that exists")
        self.path = path


def write_report(
    results: Sequence[SuiteResult],
    baselines: Sequence[Baseline],
    path: str | Path,
    language: Language = "en",
    *,
    references: Sequence[ReferenceRow] = (),
) -> Path:
    """Raises `ReportUnwritable`, and `ValueError` without a result."""
    target = Path(path)
    content = render_report(results, baselines, references=references, language=language)
    try:
        with whole_file(target) as file:
            file.write(content)
    except OSError as error:
        raise ReportUnwritable(target, error.strerror or str(error)) from None
    return target


def export_result(
    result: SuiteResult, path: str | Path, overlay: Sequence[SuiteResult | Baseline], language: Language = "en"
) -> Path:
    """`result` first, what is laid over it after it. Raises `ReportUnwritable`."""
    others = [each for each in overlay if isinstance(each, SuiteResult)]
    baselines = [each for each in overlay if isinstance(each, Baseline)]
    return write_report([result, *others], baselines, path, language)
