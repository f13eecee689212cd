from typing import Literal

import pytest
from tests.factories.judging import ScriptedModel, a_completion, a_gold, a_question, an_answer

from aml.judge.errors import VerdictUnreadable
from aml.judge.scoring.llm_judge import JudgePrompt
from aml.judge.scoring.part_judge import judge_by_parts
from aml.judge.scoring.verdict import FULL, Verdict

PROMPT = JudgePrompt(template="Mark.\n---\n{{reference}}|{{rubric}}|{{answer}}", fingerprint="f" * 64)
YES, NO = '{"verdict": "correct", "reason": "same"}', '{"verdict": "incorrect", "reason": "differs"}'
PARTS = ("moved to Ghent", "kept the boat", "in May")


async def judged(
    model: ScriptedModel, decide: Literal["all_must_hold", "majority"] = "all_must_hold", answer: str = "Ghent"
) -> Verdict:
    gold = a_gold("She moved to Ghent and kept the boat in May.", rubric=PARTS)
    return await judge_by_parts(PROMPT, a_question(), gold, an_answer(answer), model, readings=2, decide=decide)


async def test_each_part_is_judged_by_itself() -> None:
    model = ScriptedModel(YES, YES, YES)
    verdict = await judged(model)
    assert (verdict.score, verdict.outcome, verdict.reason) == (FULL, "correct", "3 of 3 parts hold")
    assert (verdict.primary_calls, verdict.retry_calls) == (3, 0)
    assert [messages[1].content for messages in model.asked] == [f"{part}|(none)|Ghent" for part in PARTS]


async def test_one_missing_part_fails_all_and_not_the_majority() -> None:
    strict = await judged(ScriptedModel(YES, NO, YES))
    assert (strict.score, strict.outcome) == (0, "incorrect")
    assert strict.reason == "2 of 3 parts hold; missing: 'kept the boat'"
    assert (await judged(ScriptedModel(YES, NO, YES), "majority")).outcome == "correct"
    assert (await judged(ScriptedModel(NO, NO, YES), "majority")).outcome == "incorrect"


async def test_half_is_no_majority() -> None:
    gold = a_gold("x", rubric=("a", "b"))
    verdict = await judge_by_parts(
        PROMPT, a_question(), gold, an_answer("x"), ScriptedModel(YES, NO), readings=1, decide="majority"
    )
    assert verdict.outcome == "incorrect"


async def test_a_part_without_a_verdict_leaves_the_question_without_and_counts_every_call() -> None:
    with pytest.raises(VerdictUnreadable) as caught:
        await judged(ScriptedModel(YES, a_completion("hm", retry_calls=1), "hm"))
    assert (caught.value.primary_calls, caught.value.retry_calls) == (2, 2)


async def test_an_empty_answer_is_wrong_without_asking() -> None:
    model = ScriptedModel()
    verdict = await judged(model, answer=" ")
    assert (verdict.outcome, verdict.primary_calls) == ("incorrect", 0)
    assert model.asked == []
