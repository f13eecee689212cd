"""What a session's results come to: lines for the terminal, an exit code, and the files that were asked for."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from aml.toolkit.baselines import LabelUnusable
from aml.toolkit.evaluation.exit_decision import Conclusion, Verdict
from aml.toolkit.outputs import Held, conclude_suite, markdown_of, result_lines, worst_of
from aml.toolkit.report import ReportUnwritable, write_report
from aml.toolkit.results import SuiteResult

from .settings import BAD_USAGE, Settings

TOOL_FAILED = 1
CODES = {Conclusion.PASSED: None, Conclusion.BELOW_THRESHOLD: 3, Conclusion.INCOMPLETE: 4}


class Closing(Struct, frozen=True, kw_only=True):
    lines: tuple[str, ...] = ()
    exit_code: int | None = None
    """None for pytest's own."""


def close(
    results: Sequence[SuiteResult], settings: Settings, step_summary: Path | None, *, all_passed: bool
) -> Closing:
    """A file that cannot be written makes the exit 1; it takes nothing from what was found."""
    if not results:
        return _nothing(settings) if all_passed else Closing()
    held = [settings.kept.hold(result) for result in results]
    verdicts = [conclude_suite(each, settings.gate) for each in held]
    worst = worst_of(verdicts)
    assert worst is not None
    lines = [line for each in held for line in result_lines(each)]
    lines += [_sentence(each, verdict) for each, verdict in zip(held, verdicts, strict=True)]
    problems = _write(held, worst, settings, step_summary, lines)
    code = TOOL_FAILED if problems else CODES[worst.conclusion]
    return Closing(lines=(*lines, *problems), exit_code=code)


def _nothing(settings: Settings) -> Closing:
    if not settings.asked:
        return Closing()
    said = f"{settings.asked[0]} was given, but no test that ran uses the fixture aml_suite_result"
    return Closing(lines=(said,), exit_code=BAD_USAGE)


def _sentence(held: Held, verdict: Verdict) -> str:
    mark = "" if verdict.conclusion is Conclusion.PASSED else f"{verdict.conclusion.value.upper()}: "
    return f"{held.result.suite}: {mark}{verdict.sentence}"


def _write(
    held: Sequence[Held], verdict: Verdict, settings: Settings, step_summary: Path | None, lines: list[str]
) -> list[str]:
    problems = []
    results = [each.result for each in held]
    if settings.report is not None:
        try:
            lines.append(f"report: {write_report(results, settings.kept.beside(results), settings.report)}")
        except ReportUnwritable as error:
            problems.append(str(error))
    if step_summary is not None:
        try:
            with step_summary.open("a", encoding="utf-8") as page:  # other steps' words stand in it already
                page.write(markdown_of(held, verdict))
        except OSError as error:
            problems.append(f"{step_summary} could not be written: {error.strerror}")
    if settings.update_baseline:
        problems += _update(results, settings, lines)
    return problems


def _update(results: Sequence[SuiteResult], settings: Settings, lines: list[str]) -> list[str]:
    if len(results) > 1 and not settings.kept.is_folder:
        return [f"{len(results)} results do not go into one baseline file; give a folder with --aml-baseline"]
    problems = []
    for result in results:
        if not result.complete:
            lines.append(f"{result.suite}: not kept as a baseline, since it is incomplete")
            continue
        try:
            lines.append(f"{result.suite}: kept as the baseline {settings.kept.save(result)}")
        except LabelUnusable as error:
            problems.append(str(error))
        except OSError as error:
            problems.append(f"the baseline in {settings.kept.place} could not be written: {error.strerror}")
    return problems
