"""`aml report`: saved results as one HTML file that needs no network."""

from pathlib import Path
from typing import Annotated

import typer

from aml.contracts.vocabulary import Language
from aml.toolkit.baselines.baseline import Baseline
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.outputs import KeptBaselines
from aml.toolkit.report import ReferenceRow, write_report
from aml.toolkit.report.run_files import RunUnreadable, read_runs
from aml.toolkit.results import SuiteResult

from .output_file import check_output


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", help="Results that `aml suite run` or `aml longmemeval run` wrote with --json."),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the report goes.")] = Path("report.html"),
    baseline: Annotated[
        list[Path] | None,
        typer.Option("--baseline", metavar="FILE|DIR", help="Overlay what is kept there. Repeatable."),
    ] = None,
    language: Annotated[Language, typer.Option("--language", help="Of the report: en or zh.")] = "en",
) -> None:
    """Write a report of one or several results: scores, differences, failures, and how to verify them.

    Exit codes: 0 written, 1 it could not be written, 2 bad usage. What the results came to changes nothing here.
    """
    check_output("--out", out)
    results: list[SuiteResult] = []
    references: list[ReferenceRow] = []
    for path in runs:
        try:
            saved = read_runs(path)
        except RunUnreadable as error:
            raise WrongUsage("RUN", str(error)) from None
        results += saved.results
        references += (row for row in saved.references if row not in references)
    baselines = [each for place in baseline or () for each in _kept(place, results)]
    written = write_report(results, baselines, out, language, references=references)
    counts = f"{_counted(len(results), 'run')}, {_counted(len(baselines), 'baseline')}"
    typer.echo(f"{written}: {counts}, {written.stat().st_size:,} bytes")


def _kept(place: Path, results: list[SuiteResult]) -> tuple[Baseline, ...]:
    """Of a folder those of the same suites; a file that was named is shown, and be it to say what differs."""
    if not place.exists():
        raise WrongUsage("--baseline", f"{place} does not exist; `aml suite run --update-baseline` makes one")
    kept = KeptBaselines.read(place)
    return kept.beside(results) if place.is_dir() else kept.baselines


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
