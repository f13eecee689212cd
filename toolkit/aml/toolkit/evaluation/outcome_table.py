"""A run's outcome for people: a table by dataset and category, the calls, and what stayed unscored and why."""

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from aml.toolkit.plain_line import print_line

from .result_shown import CallLatencies, LatencyShown, TallyShown
from .run_outcome import RunOutcome

MISSING = "—"


def print_outcome(console: Console, outcome: RunOutcome) -> None:
    console.print()
    console.print(score_table(outcome))
    console.print(latency_table(outcome.latency_ms))
    calls = f"retries {outcome.retries:,}, requeued {outcome.run.requeued:,}"
    print_line(console, f"{calls}, context tokens {outcome.context_tokens:,}, release {outcome.release.id}")
    print_unscored(console, outcome)
    if outcome.checkpoint is not None:
        print_line(
            console, f"ledger: {outcome.checkpoint.size:,} entries, checkpoint signed by {outcome.checkpoint.origin}"
        )


def score_table(outcome: RunOutcome) -> Table:
    table = Table(
        title=f"{escape(outcome.system.label)} · run {outcome.run.job_id}",
        title_justify="left",
        box=None,
        pad_edge=False,
    )
    table.add_column("dataset")
    table.add_column("category")
    for heading in ("n", "scored", "correct", "partial", "score", "95 % interval"):
        table.add_column(heading, justify="right")
    for name, dataset in outcome.datasets.items():
        for category, tally in dataset.categories.items():
            apart = "" if tally.in_overall else " (apart)"
            table.add_row(name, escape(category) + apart, *_cells(tally))
        table.add_row(name, "counted in Overall", *_cells(dataset.overall), style="bold", end_section=True)
        if dataset.overall.planned != dataset.planned:
            table.add_row(name, "all questions", *_cells(dataset))
    overall = outcome.overall
    table.add_row("Overall", "", "", "", "", "", score(overall.score), bounds(overall.interval), style="bold")
    return table


def latency_table(latencies: CallLatencies) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("call")
    for heading in ("calls", "p50", "p95", "p99"):
        table.add_column(heading, justify="right")
    for name, call in (("Add", latencies.add), ("Search", latencies.search)):
        table.add_row(name, f"{call.calls:,}", *(millis(each) for each in _percentiles(call)))
    return table


def print_unscored(console: Console, outcome: RunOutcome) -> None:
    for name, dataset in outcome.datasets.items():
        for reason, questions in dataset.unscored_reasons.items():
            print_line(console, f"unscored: {questions:,} of {name} for {reason}")
    for example in outcome.unscored_examples:
        print_line(console, f"  e.g. {example.category} in stage {example.stage}: {example.detail}")


def score(value: float | None) -> str:
    return MISSING if value is None else f"{value:.1f}"


def bounds(interval: tuple[float, float] | None) -> str:
    return MISSING if interval is None else f"{interval[0]:.1f} – {interval[1]:.1f}"


def millis(value: float | None) -> str:
    if value is None:
        return MISSING
    return f"{value:.1f} ms" if value < 100 else f"{value:,.0f} ms"


def _cells(tally: TallyShown) -> tuple[str, ...]:
    numbers = (tally.planned, tally.scored, tally.correct, tally.partial)
    return (*(f"{number:,}" for number in numbers), score(tally.score), bounds(tally.interval))


def _percentiles(call: LatencyShown) -> tuple[float | None, ...]:
    return call.p50, call.p95, call.p99
