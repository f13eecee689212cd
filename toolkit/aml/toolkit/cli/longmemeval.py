"""`aml longmemeval`: what a sample would hold, and an agent's run of it."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from aml.toolkit.longmemeval.composition import Composition, compose
from aml.toolkit.longmemeval.long_mem_eval import LongMemEval
from aml.toolkit.longmemeval.options import DEFAULT_SEED, LongMemEvalOptions
from aml.toolkit.longmemeval.sampling import Selection

from . import longmemeval_run
from .boundary import ExitCode
from .longmemeval_options import Abstention, Dataset, Questions, Seed, Share, Stratified, Types
from .output_file import check_output, write_json

app = typer.Typer(help="LongMemEval: samples of it, and an agent's run.", no_args_is_help=True)


class SampleShown(msgspec.Struct, frozen=True, kw_only=True):
    available: int
    requested: int
    shortfall: int
    composition: Composition
    ids: tuple[str, ...]


@app.command("sample")
def sample(
    dataset: Dataset,
    max_questions: Questions = None,
    stratified: Stratified = True,
    random_seed: Seed = DEFAULT_SEED,
    question_type: Types = None,
    abstention_policy: Abstention = "as_sampled",
    abstention_target_proportion: Share = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Ids and counts.")] = None,
) -> None:
    """Show which questions a run would ask. Nothing runs.

    Exit codes: 0 done, 2 bad usage, 4 the sample is shorter than asked for.
    """
    check_output("--json", json)
    options = LongMemEvalOptions.of(
        max_questions=max_questions,
        stratified_sampling=stratified,
        random_seed=random_seed,
        include_question_types=tuple(question_type) if question_type else None,
        abstention_policy=abstention_policy,
        abstention_target_proportion=abstention_target_proportion,
    )
    drawn = LongMemEval(dataset, options).sample()
    shown = SampleShown(
        available=drawn.available,
        requested=drawn.requested,
        shortfall=drawn.shortfall,
        composition=compose(drawn.questions, drawn, abstention_target_proportion),
        ids=drawn.ids,
    )
    write_json(json, shown)
    for line in _sample_lines(drawn, shown.composition):
        typer.echo(line)
    raise typer.Exit(ExitCode.INCOMPLETE if shown.shortfall else ExitCode.PASS)


def _sample_lines(drawn: Selection, composition: Composition) -> list[str]:
    lines = [f"{composition.questions} of {drawn.available} questions, {composition.abstention} of them abstention"]
    lines += [
        f"  {name}: {counts.questions}, {counts.abstention} of them abstention"
        for name, counts in composition.by_type.items()
    ]
    if drawn.shortfall:
        lines.append(
            f"{drawn.shortfall} fewer than the {drawn.requested} asked for: the dataset has no more of that kind"
        )
    return lines


app.command("run")(longmemeval_run.run)
