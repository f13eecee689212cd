"""`aml suite`: what the suites hold, whether scenarios keep to the format, and a suite written as a dataset."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, get_args

import msgspec
import typer
from rich.table import Table

from aml.contracts.vocabulary import Language
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.suites.bundle import write_suite
from aml.toolkit.suites.compilation import DEFAULT_SEED, pick_scenarios
from aml.toolkit.suites.errors import ScenariosMissing, ScenarioUnreadable
from aml.toolkit.suites.library import Source, own_library, own_scenarios, read_folder
from aml.toolkit.suites.presets import PRESETS, Preset, preset_named
from aml.toolkit.suites.summary import SuiteSummary, summarise
from aml.toolkit.suites.validate import validate as problems_of

from . import suite_run
from .boundary import CommandFailed, ExitCode
from .output_file import check_output, write_json
from .terminal import make_console

app = typer.Typer(help="The suites for agents: quick, standard, full, diagnostic, overflow.", no_args_is_help=True)
app.command("run")(suite_run.run)

_Language = Annotated[Language, typer.Option("--language", help="en or zh.")]


@app.command("show")
def show(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A suite; without it all five.")] = None,
    language: _Language = "en",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the suites, or one of them by category."""
    chosen = list(PRESETS.values()) if name is None else [preset_named(name)]
    summaries = [summarise(preset, pick_scenarios(preset, language=language), language) for preset in chosen]
    if json:
        shown = msgspec.json.encode(summaries if name is None else summaries[0])
        typer.echo(msgspec.json.format(shown, indent=2))
        return
    make_console().print(_suites_table(summaries) if name is None else _categories_table(summaries[0]))


@app.command("validate")
def validate(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH|NAME]", help="A folder or file of scenarios, or a suite; without it all of ours."
        ),
    ] = None,
) -> None:
    """Check scenarios: their shape, and that their answers follow from what they name as evidence.

    Exit codes: 0 all is well, 2 bad usage, 3 something is wrong; then each problem is a line on stdout.
    """
    problems: list[str] = []
    scenarios = files = 0
    for source in _sources(what):
        files += 1
        if isinstance(source, ScenarioUnreadable):
            problems.append(str(source))
            continue
        scenarios += len(source.file.scenarios)
        problems += map(str, problems_of([source]))
    for problem in problems:
        typer.echo(problem)
    if problems:
        said = f"{_counted(len(problems), 'problem')} in {_counted(files, 'file')}"
        raise CommandFailed(said, ExitCode.BELOW_THRESHOLD)
    typer.echo(f"{_counted(scenarios, 'scenario')} in {_counted(files, 'file')}, all well")


@app.command("write")
def write(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A suite.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the dataset goes.")],
    language: _Language = "en",
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same bytes everywhere.")] = DEFAULT_SEED,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many scenarios a category.")] = None,
    scenarios: Annotated[
        Path | None, typer.Option("--scenarios", metavar="FOLDER", help="Your own scenarios instead of ours.")
    ] = None,
    manifest: Annotated[
        Path | None, typer.Option("--manifest", metavar="FILE", help="Write counts and question keys there, as JSON.")
    ] = None,
) -> None:
    """Write a suite as a dataset, for `aml run --dataset practice=FILE`. Prints its SHA-256 and counts."""
    preset = preset_named(name)
    check_output("--out", out)
    check_output("--manifest", manifest)
    written = write_suite(out, preset, seed=seed, language=language, limit=limit, folder=scenarios)
    write_json(manifest, written)
    counts = written.counts
    typer.echo(f"{written.sha256}  {out}")
    typer.echo(
        f"{counts.samples} samples, {counts.sessions} sessions, {counts.turns} turns, {counts.questions} questions,"
        f" {written.size} bytes"
    )


def _sources(what: str | None) -> Iterator[Source | ScenarioUnreadable]:
    """A file that cannot be read is one problem among others, and the next file is read all the same."""
    if what is None:
        for language in get_args(Language):
            yield from own_library(language)
        return
    if what.lower() in PRESETS and not Path(what).exists():
        yield from _own(preset_named(what))
        return
    path = Path(what).expanduser()
    if not path.exists():
        raise WrongUsage("PATH|NAME", f"{what} is neither a file or folder nor one of {', '.join(PRESETS)}")
    for file in [path] if path.is_file() else _toml_files(path):
        try:
            yield from read_folder(file)
        except ScenarioUnreadable as error:
            yield error


def _own(preset: Preset) -> Iterator[Source]:
    for language in get_args(Language):
        for category in preset.weights:
            yield own_scenarios(category, language)


def _toml_files(folder: Path) -> list[Path]:
    """Raises `ScenariosMissing` for a folder without any."""
    found = sorted(folder.rglob("*.toml"))
    if not found:
        raise ScenariosMissing(folder, "holds no .toml files")
    return found


def _suites_table(summaries: Iterable[SuiteSummary]) -> Table:
    table = Table("suite", title="Suites")
    for column in ("categories", "samples", "questions", "reach-back depths", "tokens of pressure"):
        table.add_column(column, justify="right")
    for each in summaries:
        depths = " ".join(map(str, each.depths)) or "none"
        table.add_row(
            each.suite,
            str(len(each.categories)),
            str(each.samples),
            str(each.questions),
            depths,
            f"{each.pressure_tokens:,}" if each.pressure_tokens else "none",
        )
    return table


def _categories_table(summary: SuiteSummary) -> Table:
    pressure = f", {summary.pressure_tokens:,} tokens of pressure" if summary.pressure_tokens else ""
    table = Table("category", title=f"{summary.suite} ({summary.language}), {summary.questions} questions{pressure}")
    for column in ("weight", "scenarios", "samples", "questions"):
        table.add_column(column, justify="right")
    table.add_column("difficulties")
    table.add_column("judged as")
    for each in summary.categories:
        table.add_row(
            each.category,
            f"{each.weight / 100:.2f}",
            str(each.scenarios),
            str(each.samples),
            str(each.questions),
            _listed(each.difficulties),
            _listed(each.judges),
        )
    return table


def _listed(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
