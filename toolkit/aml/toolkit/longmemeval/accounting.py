"""What adds up: questions from selected to correct, judge calls, and accuracies that are null where nothing was scored. Pure.

Accuracies are percentages of scored questions, 0 to 100. The macro mean is over the types that have one; abstention questions
count in their types, as in the dataset's own evaluation, and apart.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from aml.rules.intervals import MILLION, wilson
from aml.toolkit.metrics.pentagon import LONGMEMEVAL_AXES
from aml.toolkit.metrics.scored_mean import mean

from .options import QUESTION_TYPES
from .question_result import LongMemEvalQuestion

ABSTENTION_AXIS: Final = "abstention"


class Counts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    selected: int
    completed: int
    """With an answer of the agent, however it was judged."""
    scored: int
    correct: int
    incorrect: int
    inconclusive: int
    agent_failure: int
    judge_primary_calls: int
    judge_retry_calls: int

    @property
    def judge_calls(self) -> int:
        return self.judge_primary_calls + self.judge_retry_calls


class Accuracy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    questions: int
    scored: int
    correct: int
    accuracy: float | None
    low: float | None
    """Wilson interval, two-sided, 95 %."""
    high: float | None


class Accuracies(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    overall: Accuracy
    task_averaged: float | None
    """Mean of the types' accuracies."""
    abstention: Accuracy
    by_type: dict[str, Accuracy]
    axes: dict[str, float]
    """The paper's five abilities. One that nothing was scored for is absent."""


def count(questions: Sequence[LongMemEvalQuestion]) -> Counts:
    """`scored` and `incorrect` follow the run's policy; `inconclusive` is what the judge left open, whatever the policy."""
    return Counts(
        selected=len(questions),
        completed=sum(each.status != "agent_failure" for each in questions),
        scored=sum(each.correct is not None for each in questions),
        correct=sum(each.correct is True for each in questions),
        incorrect=sum(each.correct is False for each in questions),
        inconclusive=sum(each.status == "inconclusive" for each in questions),
        agent_failure=sum(each.status == "agent_failure" for each in questions),
        judge_primary_calls=sum(each.judge_primary_calls for each in questions),
        judge_retry_calls=sum(each.judge_retry_calls for each in questions),
    )


def accuracies(questions: Sequence[LongMemEvalQuestion]) -> Accuracies:
    by_type = {name: [each for each in questions if each.question_type == name] for name in QUESTION_TYPES}
    types = {name: accuracy_of(of_type) for name, of_type in by_type.items() if of_type}
    means = [each.accuracy for each in types.values() if each.accuracy is not None]
    abstention = accuracy_of([each for each in questions if each.abstention])
    axes = {axis: _axis(questions, names) for axis, names in LONGMEMEVAL_AXES.items()}
    return Accuracies(
        overall=accuracy_of(questions),
        task_averaged=mean(means),
        abstention=abstention,
        by_type=types,
        axes={axis: accuracy for axis, accuracy in axes.items() if accuracy is not None},
    )


def accuracy_of(questions: Iterable[LongMemEvalQuestion]) -> Accuracy:
    told = list(questions)
    scored = sum(each.correct is not None for each in told)
    correct = sum(each.correct is True for each in told)
    bounds = wilson(correct * MILLION, scored) if scored else None
    return Accuracy(
        questions=len(told),
        scored=scored,
        correct=correct,
        accuracy=100 * correct / scored if scored else None,
        low=bounds.low / 10_000 if bounds else None,
        high=bounds.high / 10_000 if bounds else None,
    )


def _axis(questions: Iterable[LongMemEvalQuestion], names: Sequence[str]) -> float | None:
    """The abilities of the types are shown by questions that can be answered; the others show abstention."""
    return accuracy_of(
        each for each in questions if (ABSTENTION_AXIS if each.abstention else each.question_type) in names
    ).accuracy
