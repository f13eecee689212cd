"""Private results for people: scores with denominators and intervals, failures first, and what got worse."""

from collections.abc import Iterator

from rich.console import Console

from aml.gateway.results.views import Comparison, QuestionRow, Questions, Results
from aml.toolkit.evaluation.outcome_table import bounds, latency_table, score
from aml.toolkit.evaluation.result_shown import TallyShown, percent, percents, show_result
from aml.toolkit.shown_text import shown

from .listing import print_table


def print_results(console: Console, results: Results) -> None:
    result = show_result(results.result)
    rows: list[tuple[object, ...]] = []
    for name, dataset in result.datasets.items():
        for category, tally in dataset.categories.items():
            rows.append((name, category if tally.in_overall else f"{category} (apart)", *_tally(tally)))
        rows.append((name, "all that count", *_tally(dataset.overall)))
    rows.append(("Overall", "", "", "", score(result.overall.score), bounds(result.overall.interval)))
    print_table(console, ("dataset", "category", "n", "scored", "score", "95 % interval"), rows, empty="no dataset")
    if results.capabilities:
        console.print()
        print_table(
            console,
            ("capability", "n", "scored", "score", "95 % interval"),
            (
                (
                    each.capability,
                    each.planned,
                    each.scored,
                    score(percent(each.score)),
                    bounds(percents(each.interval)),
                )
                for each in results.capabilities
            ),
            empty="",
        )
    console.print()
    console.print(latency_table(result.latency_ms))
    for line in _gate_lines(results):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def print_failures(console: Console, questions: Questions) -> None:
    print_table(
        console,
        ("unit", "category", "outcome", "score", "why", "question"),
        ((each.unit, each.category, each.outcome, score(percent(each.score)), _why(each), shown(each.question, 90))
         for each in questions.questions),
        empty="no question like that",
    )  # fmt: skip
    left = questions.total - len(questions.questions)
    if left > 0:
        console.print(f"and {left:,} more; --limit and --offset show them", highlight=False, soft_wrap=True)


def print_comparison(console: Console, comparison: Comparison) -> None:
    test = comparison.mcnemar
    said = [
        f"{comparison.common:,} questions in both runs, {comparison.scored_in_both:,} scored in both",
        f"{comparison.regressions:,} got worse, {comparison.improvements:,} got better",
        f"exact McNemar test: p = {test.p_value / 1_000_000:.4f} over {test.pairs:,} pairs",
    ]
    if comparison.unscored_now:
        said.append(f"{comparison.unscored_now:,} were scored before and have no outcome now")
    if not comparison.same_release:
        said.append("the two ran under different releases: another judge may be why")
    for line in said:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    print_table(
        console,
        ("unit", "category", "before", "now", "question"),
        (
            (each.unit, each.category, f"{score(percent(each.before_score))} {each.before_outcome or ''}",
             f"{score(percent(each.score))} {each.outcome or ''}", shown(each.question, 90))
            for each in comparison.regressed
        ),
        empty="nothing got worse",
    )  # fmt: skip


def _tally(tally: TallyShown) -> tuple[object, ...]:
    return tally.planned, tally.scored, score(tally.score), bounds(tally.interval)


def _why(row: QuestionRow) -> str:
    if row.outcome == "unscored":
        return f"{row.stage or ''} {row.reason or ''}: {shown(row.detail, 80)}".strip()
    return row.rule or ""


def _gate_lines(results: Results) -> Iterator[str]:
    if results.subject.mode != "full":
        yield f"a {results.subject.mode} run is not published; the gate decides on full runs"
        return
    failed = [check for check in results.checks if not check.passed]
    yield f"gate: {results.gate}, {len(results.checks) - len(failed)} of {len(results.checks)} checks passed"
    for check in failed:
        yield f"  {check.name} ({check.code}): expected {shown(check.expected)}, found {shown(check.found)}"
