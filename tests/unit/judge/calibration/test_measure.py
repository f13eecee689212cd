"""The judge's own rules and prompts, on the labelled answers."""

import asyncio
from collections.abc import Sequence

import pytest
from tests.factories.judging import a_completion, a_release

from aml.contracts.calibration import CalibrationCase
from aml.contracts.release import ScoringRule
from aml.judge.calibration.calibration_set import CalibrationSet, load_set
from aml.judge.calibration.measure import calibrated, measure_judge
from aml.judge.errors import ModelReplyUnusable, ModelUnavailable
from aml.judge.model_calls.completion import ChatMessage, Completion
from aml.runtime.release_folder import bundled_releases, load_release

PROMPT = "Reference: {{reference}} Answer: {{answer}}"


def a_case(number: int, answer: str = "Ghent", *, correct: bool = True, question_type: str = "open") -> CalibrationCase:
    return CalibrationCase(
        case_id=f"case-{number}",
        kind="fact",
        language="en",
        question_type=question_type,
        question="Which town?",
        references=("Ghent",),
        answer=answer,
        correct=correct,
    )


def a_set(*cases: CalibrationCase) -> CalibrationSet:
    return CalibrationSet(name="small", sha256="0" * 64, cases=cases)


class Agreeable:
    """Says "correct" to every answer, or fails."""

    def __init__(self, reply: str = '{"verdict": "correct"}', error: Exception | None = None) -> None:
        self.reply = reply
        self.error = error
        self.in_flight = self.most = 0

    async def complete(self, messages: Sequence[ChatMessage], *, seed_step: int = 0) -> Completion:
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        await asyncio.sleep(0)
        self.in_flight -= 1
        if self.error is not None:
            raise self.error
        return a_completion(self.reply)


def a_model_release() -> object:
    rule = ScoringRule(rule="llm_judge", judge_prompt="judge.md")
    return a_release(rule, prompts={"judge.md": PROMPT}, judge="openai")


async def test_the_rule_judge_reaches_what_its_release_asks_for_and_no_more_than_it_can() -> None:
    release = load_release(bundled_releases()["practice"])
    found = (await measure_judge(release, load_set("answers-1"), None)).agreement
    demand = release.release.calibration
    assert demand is not None
    assert (found.labelled, found.agreed, found.unread) == (108, 83, 0)
    assert demand.threshold <= found.agreement < 800_000
    assert found.kappa == 529_944


async def test_no_answer_that_dictates_its_verdict_earns_it_from_the_rules() -> None:
    found = await measure_judge(load_release(bundled_releases()["practice"]), load_set("answers-1"), None)
    dictating = [each for each in found.judged if each.kind in ("injection", "verdict_word", "empty")]
    assert [each.case_id for each in dictating if not each.agreed] == []
    assert len(dictating) >= 10


async def test_a_judge_that_says_yes_to_everything_is_found_out() -> None:
    release = load_release(bundled_releases()["openai"])
    found = (await measure_judge(release, load_set("answers-1"), Agreeable())).agreement
    demand = release.release.calibration
    assert demand is not None
    assert found.agreement < demand.threshold
    assert abs(found.kappa) < 150_000


async def test_what_the_release_does_not_score_is_left_out() -> None:
    cases = a_set(a_case(1), a_case(2, question_type="elsewhere"))
    assert (await measure_judge(a_release(), cases, None)).agreement.labelled == 1


@pytest.mark.parametrize(
    "model", [Agreeable("I would rather not say."), Agreeable(error=ModelReplyUnusable("judge", "no choice"))]
)
async def test_without_a_readable_verdict_nothing_is_agreed_on(model: Agreeable) -> None:
    found = (await measure_judge(a_model_release(), a_set(a_case(1)), model)).agreement  # type: ignore[arg-type]
    assert (found.labelled, found.agreed, found.unread) == (1, 0, 1)


async def test_a_model_that_is_away_gives_no_measurement() -> None:
    model = Agreeable(error=ModelUnavailable("judge", "no answer"))
    with pytest.raises(ModelUnavailable):
        await measure_judge(a_model_release(), a_set(a_case(1), a_case(2)), model)  # type: ignore[arg-type]


async def test_no_more_calls_are_in_flight_than_the_release_allows() -> None:
    release = load_release(bundled_releases()["openai"])
    model = Agreeable()
    await measure_judge(release, load_set("answers-1"), model)
    assert model.most == release.release.judge.concurrency


async def test_the_fact_carries_the_numbers_and_what_they_are_of() -> None:
    measured = await measure_judge(a_release(), a_set(a_case(1), a_case(2, "Bruges", correct=True)), None)
    fact = calibrated(measured, a_release(), "f" * 64, 5)
    assert (fact.labelled, fact.agreed, fact.agreement, fact.disagreed) == (2, 1, 500_000, ("case-2",))
    assert (fact.release_id, fact.pipeline_digest, fact.judge, fact.answers) == (
        "test",
        "f" * 64,
        "rules:asked-model",
        "small",
    )
