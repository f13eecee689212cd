"""The questions that any run did not answer fully right, each once, with every run's answer to it beside the others.

An answer is `failed` below 70 points, `partly` right below 100, `right` at 100, and `unscored` where there is no score.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from aml.toolkit.results.category import PASSING
from aml.toolkit.results.question import FactRecord, QuestionRecord
from aml.toolkit.results.suite_result import SuiteResult

from .differences import Difference
from .safe_text import Excerpt, excerpt
from .series import Series

AnswerOutcome = Literal["failed", "partly", "unscored", "right"]
OUTCOMES: tuple[AnswerOutcome, ...] = ("failed", "partly", "unscored", "right")

_ANSWERS_BYTES = 120_000
"""For all answers together: a report stays of a size to be sent by mail, whatever an agent answered."""
_SHORTEST, _LONGEST = 300, 4_000
_TEXT, _REASON, _EXCERPT = 1_200, 600, 600
_FACTS, _FORBIDDEN, _SESSIONS = 12, 6, 4


class Session(Struct, frozen=True, kw_only=True):
    session_id: str
    on: str | None
    excerpt: Excerpt


class Answer(Struct, frozen=True, kw_only=True):
    run: Series
    repeats: tuple[int, ...]
    """Those that ended so, from 1; empty for a run without repeats."""
    outcome: AnswerOutcome
    text: Excerpt | None
    """None where none was given."""
    score: float | None
    reason: Excerpt
    stage: str
    """Where it ended unscored, and by what code; empty for a scored one."""
    code: str
    detail: Excerpt
    facts: tuple[FactRecord, ...]
    forbidden: tuple[str, ...]
    latency_ms: float | None
    prompt_tokens: int | None


class FailedQuestion(Struct, frozen=True, kw_only=True):
    question_id: str
    category: str
    difficulty: str | None
    depth: int | None
    judge: str
    asked_on: str | None
    text: Excerpt
    reference: Excerpt
    sessions: tuple[Session, ...]
    more_sessions: int
    answers: tuple[Answer, ...]
    """By run, then by repeat."""
    fell_since: tuple[str, ...]
    """Names of the baselines against which a run got worse here."""

    @property
    def outcomes(self) -> tuple[AnswerOutcome, ...]:
        found = {answer.outcome for answer in self.answers}
        return tuple(each for each in OUTCOMES if each in found)

    @property
    def failed_runs(self) -> tuple[int, ...]:
        """Places of the runs that have an answer which is not right."""
        return tuple(sorted({answer.run.place for answer in self.answers if answer.outcome != "right"}))


def failed_questions(
    results: Sequence[SuiteResult], series: Sequence[Series], found: Iterable[Difference]
) -> tuple[FailedQuestion, ...]:
    """By category in the results' order; in it the lowest mean score first, the unscored ones before."""
    grouped = _grouped(results)
    shown = [records for records in grouped.values() if any(outcome_of(each) != "right" for _, each in records)]
    limit = max(_SHORTEST, min(_LONGEST, _ANSWERS_BYTES // max(1, sum(map(len, shown)))))
    fell: dict[str, list[str]] = {}
    for difference in found:
        for question_id in difference.worse:
            fell.setdefault(question_id, []).append(difference.other.name)
    order = {name: place for place, name in enumerate(categories_of(results))}
    shown.sort(key=lambda records: (order.get(records[0][1].category, len(order)), _mean(records), _id(records)))
    return tuple(_question(records, series, limit, fell.get(_id(records), [])) for records in shown)


def categories_of(results: Sequence[SuiteResult]) -> tuple[str, ...]:
    """Each once, in the order in which the results have them."""
    return tuple(dict.fromkeys(each.category for result in results for each in result.categories))


def outcome_of(question: QuestionRecord) -> AnswerOutcome:
    if question.score is None:
        return "unscored"
    if question.score < PASSING:
        return "failed"
    return "right" if question.score >= 100 and not question.forbidden else "partly"


_Records = list[tuple[int, QuestionRecord]]
"""With the place of each one's run."""


def _grouped(results: Sequence[SuiteResult]) -> Mapping[tuple[str, str, str], _Records]:
    """The same id of another suite or dataset is another question where it asks or wants something else."""
    found: dict[tuple[str, str, str], _Records] = {}
    for place, result in enumerate(results):
        for question in result.questions:
            found.setdefault((question.question_id, question.text, question.reference), []).append((place, question))
    return found


def _id(records: _Records) -> str:
    return records[0][1].question_id


def _mean(records: _Records) -> float:
    return sum(-1.0 if each.score is None else each.score for _, each in records) / len(records)


def _question(records: _Records, series: Sequence[Series], limit: int, fell: list[str]) -> FailedQuestion:
    first = records[0][1]
    return FailedQuestion(
        question_id=first.question_id,
        category=first.category,
        difficulty=first.difficulty,
        depth=first.depth,
        judge=first.judge,
        asked_on=first.asked_on,
        text=excerpt(first.text, _TEXT),
        reference=excerpt(first.reference, _TEXT),
        sessions=tuple(
            Session(session_id=each.session_id, on=each.on, excerpt=excerpt(each.excerpt, _EXCERPT))
            for each in first.evidence[:_SESSIONS]
        ),
        more_sessions=max(0, len(first.evidence) - _SESSIONS),
        answers=tuple(_answers(records, series, limit)),
        fell_since=tuple(dict.fromkeys(fell)),
    )


def _answers(records: _Records, series: Sequence[Series], limit: int) -> Iterable[Answer]:
    """Repeats that ended the same are one answer."""
    same: dict[tuple[object, ...], _Records] = {}
    for place, each in records:
        unscored = each.unscored and (each.unscored.stage, each.unscored.reason, each.unscored.detail)
        same.setdefault((place, each.answer, each.score, each.reason, unscored), []).append((place, each))
    often = {place for place, each in records if each.repeat > 0}
    for alike in same.values():
        place, each = alike[0]
        yield Answer(
            run=series[place],
            repeats=tuple(record.repeat + 1 for _, record in alike) if place in often else (),
            outcome=outcome_of(each),
            text=None if each.answer is None else excerpt(each.answer, limit),
            score=each.score,
            reason=excerpt(each.reason, _REASON),
            stage="" if each.unscored is None else each.unscored.stage,
            code="" if each.unscored is None else each.unscored.reason,
            detail=excerpt("" if each.unscored is None else each.unscored.detail, _REASON),
            facts=each.facts[:_FACTS],
            forbidden=each.forbidden[:_FORBIDDEN],
            latency_ms=each.latency_ms,
            prompt_tokens=each.prompt_tokens,
        )
