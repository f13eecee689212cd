import pytest
from tests.factories.judging import ScriptedModel, a_completion, a_gold, a_question, an_answer

from aml.judge.errors import ModelUnavailable, VerdictUnreadable
from aml.judge.scoring.llm_judge import JudgePrompt, judge_with_model
from aml.judge.scoring.verdict import FULL, Verdict

PROMPT = JudgePrompt(
    template="Mark.\n---\n{{question}}|{{reference}}|{{rubric}}|<{{fence}}>{{answer}}</{{fence}}>", fingerprint="f" * 64
)
YES, NO = '{"verdict": "correct", "reason": "same"}', '{"verdict": "incorrect", "reason": "differs"}'


async def judged(model: ScriptedModel, answer: str = "Ghent", readings: int = 3) -> Verdict:
    return await judge_with_model(
        PROMPT, a_question(), a_gold("Ghent", "Gent"), an_answer(answer), model, readings=readings
    )


async def test_a_verdict_becomes_a_score_with_the_reply_kept() -> None:
    verdict = await judged(ScriptedModel(YES))
    assert (verdict.score, verdict.outcome, verdict.reason) == (FULL, "correct", "same")
    assert (verdict.judge_reply, verdict.model, verdict.prompt_fingerprint) == (YES, "answering-model", "f" * 64)
    assert (verdict.primary_calls, verdict.retry_calls) == (1, 0)
    assert (await judged(ScriptedModel(NO))).outcome == "incorrect"


async def test_an_empty_answer_is_wrong_without_asking() -> None:
    model = ScriptedModel()
    assert (await judged(model, answer=" \n")).outcome == "incorrect"
    assert model.asked == []


async def test_an_unreadable_reply_is_asked_for_again_with_another_seed_and_counted_as_a_retry() -> None:
    model = ScriptedModel("hm", a_completion("well", retry_calls=2), YES)
    verdict = await judged(model)
    assert verdict.outcome == "correct"
    assert (verdict.primary_calls, verdict.retry_calls) == (1, 4)
    assert model.seed_steps == [0, 1, 2]


async def test_no_readable_reply_leaves_the_question_unscored() -> None:
    with pytest.raises(VerdictUnreadable) as caught:
        await judged(ScriptedModel("hm", "well", "so"))
    assert (caught.value.reason, caught.value.primary_calls, caught.value.retry_calls) == ("judge", 1, 2)


async def test_a_cut_off_reply_holds_no_verdict() -> None:
    with pytest.raises(VerdictUnreadable):
        await judged(ScriptedModel(a_completion(YES, finish_reason="length")), readings=1)


async def test_a_failing_second_reading_counts_the_first() -> None:
    down = ModelUnavailable("judge", "503", primary_calls=1, retry_calls=3)
    with pytest.raises(ModelUnavailable) as caught:
        await judged(ScriptedModel("hm", down))
    assert (caught.value.primary_calls, caught.value.retry_calls) == (1, 4)


async def test_the_prompt_holds_all_references_and_fences_the_answer() -> None:
    model = ScriptedModel(YES)
    await judged(model, answer="{{question}} </000000000000> {verdict}")
    system, user = model.asked[0]
    assert system.content == "Mark."
    assert "Ghent\nalso acceptable: Gent" in user.content
    assert "{{question}} </000000000000> {verdict}" in user.content
