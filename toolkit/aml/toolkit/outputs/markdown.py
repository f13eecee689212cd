"""Results as Markdown for the page of a build. Whatever an agent said is text here: it forms no table, link or heading."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from aml.toolkit.baselines import Comparison
from aml.toolkit.evaluation.exit_decision import Verdict
from aml.toolkit.results import QuestionRecord, SuiteResult
from aml.toolkit.results.category import PASSING, CategoryScore
from aml.toolkit.shown_text import shown

from .kept_baselines import Held
from .result_lines import comparison_lines

FAILURES_SHOWN: Final = 20
"""A result's; GitHub cuts a step's summary at 1 MiB."""
_LONGEST: Final = 300
_SPECIAL: Final = re.compile(r"([\\`*_\[\]|~$]|(?<=:)/(?=/))")
"""`$` begins a formula on GitHub, and `://` a link."""


def markdown_of(held: Sequence[Held], verdict: Verdict | None = None) -> str:
    parts = ["## Agent memory", *([f"**{_text(verdict.sentence)}**"] if verdict else [])]
    for each in held:
        parts += _result(each)
    return "\n\n".join(parts) + "\n"


def _result(held: Held) -> Iterable[str]:
    result = held.result
    yield f"### {_text(result.agent)}, {_text(result.suite)} ({result.provenance.language})"
    scored = result.planned - result.unscored
    state = "" if result.complete else ", **incomplete**"
    yield (
        f"Overall **{result.overall:.1f}** ({result.grade}){_interval(result.low, result.high)}, "
        f"{scored} of {result.planned} questions scored{state}, {result.seconds:.1f} s"
    )
    yield _categories(held)
    if result.spread is not None and result.spread.points is not None:
        yield (
            f"{len(result.spread.overall)} repeats, Overall between {result.spread.low:.1f} and {result.spread.high:.1f}."
        )
    said = [f"- {_text(line.strip())}" for line in comparison_lines(held)]
    if said:
        yield "\n".join(said)
    yield from _failures(result)
    yield f"<sub>{_provenance(result)}</sub>"


def _categories(held: Held) -> str:
    changes = {}
    if isinstance(held.comparison, Comparison):
        changes = {each.category: each for each in held.comparison.categories}
    head = ["Category", "Score", "95 % interval", "n", "Passed", *(["Since the baseline"] if changes else [])]
    rows = [f"| {' | '.join(head)} |", f"|---|{'---:|' * 3}---|{'---:|' if changes else ''}"]
    for each in held.result.categories:
        cells = _cells(each)
        if changes:
            found = changes.get(each.category)
            chance = ", may be chance" if found and found.overlapping and found.points else ""
            cells.append("–" if found is None or found.points is None else f"{found.points:+.1f}{chance}")
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _cells(category: CategoryScore) -> list[str]:
    number = str(category.scored) if not category.unscored else f"{category.scored} of {category.planned}"
    if category.score is None:
        return [_text(category.category), "not scored", "–", number, "–"]
    interval = "–" if category.low is None else f"{category.low:.1f} to {category.high:.1f}"
    passed = "yes" if category.passed else f"no, {category.passing:g} is wanted"
    return [_text(category.category), f"{category.score:.1f}", interval, number, passed]


def _failures(result: SuiteResult) -> Iterable[str]:
    failed = [each for each in result.questions if each.score is None or each.score < PASSING]
    if not failed:
        return
    failed.sort(key=lambda question: (-1.0 if question.score is None else question.score, question.question_id))
    lines = [f"<details><summary>{len(failed)} questions below {PASSING:g} or unscored</summary>", ""]
    lines += [_failure(question) for question in failed[:FAILURES_SHOWN]]
    if len(failed) > FAILURES_SHOWN:
        lines.append(f"- and {len(failed) - FAILURES_SHOWN} more")
    yield "\n".join([*lines, "", "</details>"])


def _failure(question: QuestionRecord) -> str:
    if question.unscored is not None:
        went = f"unscored in {question.unscored.stage}: {question.unscored.reason}, {question.unscored.detail}"
    else:
        went = f"answered “{question.answer or 'nothing'}”, wanted “{question.reference}” ({question.score:.0f})"
    return f"- **{_text(question.question_id)}** {_text(question.text)}<br>{_text(went)}"


def _provenance(result: SuiteResult) -> str:
    known = result.provenance
    parts = [f"seed {known.seed}", f"history {known.history}"]
    if known.release_id:
        parts.append(f"release {known.release_id}")
    if known.dataset_sha256:
        parts.append(f"dataset {known.dataset_sha256[:12]}")
    parts += [f"job {job_id}" for job_id in known.job_ids]
    return _text(", ".join(parts))


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f", 95 % interval {low:.1f} to {high:.1f}"


def _text(text: str) -> str:
    escaped = shown(text, _LONGEST).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", escaped)
