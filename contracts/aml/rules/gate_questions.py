"""The gate on the questions: each planned one scored exactly once, none unscored, none that was not planned."""

from collections import Counter
from collections.abc import Sequence

from aml.contracts.jobs import JobPlanned
from aml.contracts.seals import GateCheck
from aml.contracts.units import SamplePlanned
from aml.contracts.verdicts import AnswerScored, UnitUnscored

from .entry import ReadEntry
from .gate_check import Finding, passed, refused

Question = tuple[str, int]
"""The unit of its sample, and its index in the sample's question pack."""


def check_questions(entries: Sequence[ReadEntry], planned: ReadEntry | None) -> list[GateCheck]:
    """`entries` are those that the seal closes."""
    if planned is None or not isinstance(planned.event, JobPlanned):
        return [refused("plan", Finding("no_plan", "a plan", "none", [entry.index for entry in entries[:1]]))]
    plan = planned.event
    expected = _planned_questions(entries)
    scored: dict[Question, list[int]] = {}
    for entry in entries:
        if isinstance(entry.event, AnswerScored):
            scored.setdefault((entry.event.sample, entry.event.index), []).append(entry.index)
    return [
        _plan(entries, planned, plan, expected),
        _scored(entries, plan, expected, scored),
        _extras(expected, entries, planned.index),
        _none_unscored(entries, planned.index),
        _categories(entries, plan, planned.index),
    ]


def _planned_questions(entries: Sequence[ReadEntry]) -> dict[Question, str]:
    """Each planned question and its dataset."""
    return {
        (entry.event.unit, index): entry.event.dataset
        for entry in entries
        if isinstance(entry.event, SamplePlanned)
        for index in range(entry.event.questions)
    }


def _plan(
    entries: Sequence[ReadEntry], planned: ReadEntry, plan: JobPlanned, expected: dict[Question, str]
) -> GateCheck:
    """The job's plan, its datasets' plans and its samples' plans agree."""
    samples = sum(isinstance(entry.event, SamplePlanned) for entry in entries)
    per_dataset = Counter(expected.values())
    wanted = {dataset.name: dataset.questions for dataset in plan.datasets}
    text = f"{plan.samples} samples, {plan.questions} questions"
    found = f"{samples} samples, {len(expected)} questions"
    agree = (
        (plan.samples, plan.questions) == (samples, len(expected))
        and per_dataset == Counter(wanted)
        and all(sum(each.questions for each in dataset.categories) == dataset.questions for dataset in plan.datasets)
    )
    if agree:
        return passed("plan", text, found, [planned.index])
    return refused("plan", Finding("plan_disagrees", text, found, [planned.index]))


def _scored(
    entries: Sequence[ReadEntry], plan: JobPlanned, expected: dict[Question, str], scored: dict[Question, list[int]]
) -> GateCheck:
    text = f"{plan.questions} questions scored once"
    twice = [indices for indices in scored.values() if len(indices) > 1]
    if twice:
        found = f"{len(twice)} questions scored more than once"
        return refused("scored", Finding("scored_twice", text, found, [i for indices in twice for i in indices]))
    missing = [question for question in expected if question not in scored]
    if missing or not expected:
        found = f"{len(missing)} questions without a score"
        return refused("scored", Finding("questions_missing", text, found, _planning(entries, missing)))
    return passed("scored", text, f"{len(scored)} questions scored once", [first for first, *_ in scored.values()])


def _planning(entries: Sequence[ReadEntry], missing: Sequence[Question]) -> list[int]:
    """Where the samples of these questions were planned."""
    samples = {sample for sample, _ in missing}
    return [entry.index for entry in entries if isinstance(entry.event, SamplePlanned) and entry.event.unit in samples]


def _extras(expected: dict[Question, str], entries: Sequence[ReadEntry], plan_index: int) -> GateCheck:
    text = "no score of a question that was not planned"
    foreign = [
        entry.index
        for entry in entries
        if isinstance(entry.event, AnswerScored)
        and expected.get((entry.event.sample, entry.event.index)) != entry.event.dataset
    ]
    if foreign:
        return refused("extras", Finding("not_planned", text, f"{len(foreign)} such scores", foreign))
    return passed("extras", text, "none", [plan_index])


def _none_unscored(entries: Sequence[ReadEntry], plan_index: int) -> GateCheck:
    text = "no unscored question"
    found = [entry for entry in entries if isinstance(entry.event, UnitUnscored)]
    if not found:
        return passed("unscored", text, "none", [plan_index])
    reasons = Counter(entry.event.reason for entry in found if isinstance(entry.event, UnitUnscored))
    listed = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
    return refused("unscored", Finding("unscored_questions", text, listed, [entry.index for entry in found]))


def _categories(entries: Sequence[ReadEntry], plan: JobPlanned, plan_index: int) -> GateCheck:
    """Scores fall into the planned categories in the planned numbers, so that none moves into an easier one."""
    wanted = Counter(
        {(dataset.name, each.category): each.questions for dataset in plan.datasets for each in dataset.categories}
    )
    found = Counter(
        (entry.event.dataset, entry.event.category) for entry in entries if isinstance(entry.event, AnswerScored)
    )
    if wanted == found:
        return passed("categories", "the planned numbers", "the planned numbers", [plan_index])
    differing = sorted(key for key in wanted.keys() | found.keys() if wanted[key] != found[key])
    shown = "; ".join(
        f"{name}/{category}: {found[name, category]} of {wanted[name, category]}" for name, category in differing
    )
    return refused("categories", Finding("categories_differ", "the planned numbers", shown, [plan_index]))
