import pytest
from tests.factories.judging import ScriptedModel, a_completion, a_question, a_release, memories

from aml.contracts.release import ScoringRule
from aml.judge.answerers.answer import answer
from aml.judge.errors import AgentSaidTwice, ReleaseGap
from aml.runtime.release_folder import prompt_fingerprint

PROMPTS = {"answer.md": "{{question}}\n{{memories}}"}
BY_MODEL = ScoringRule(rule="llm_judge", answer_prompt="answer.md", judge_prompt="answer.md")


async def test_the_extractive_answerer_calls_nobody_and_counts_what_it_read() -> None:
    draft = await answer(a_question("Where does Noor live?"), memories("Noor lives in Ghent"), a_release())
    assert (draft.record.text, draft.record.answerer) == ("Noor lives in Ghent", "extractive")
    assert (draft.context_items, draft.prompt_tokens, draft.primary_calls) == (1, 19, 0)


async def test_a_model_answers_where_the_release_says_so() -> None:
    release = a_release(BY_MODEL, prompts=PROMPTS, answer="openai", judge="openai")
    model = ScriptedModel(a_completion(" Ghent\n", retry_calls=2))
    draft = await answer(a_question(), memories("Noor lives in Ghent"), release, model)
    assert (draft.record.text, draft.record.model) == ("Ghent", "answering-model")
    assert draft.record.prompt_fingerprint == prompt_fingerprint(PROMPTS["answer.md"])
    assert (draft.prompt_tokens, draft.completion_tokens, draft.primary_calls, draft.retry_calls) == (11, 3, 1, 2)
    assert draft.system_fingerprint == "fp_1"


async def test_only_the_memories_that_fit_are_sent() -> None:
    release = a_release(BY_MODEL, prompts=PROMPTS, answer="openai", judge="openai", context_tokens=30)
    model = ScriptedModel("x")
    draft = await answer(a_question(), memories("first " * 3, "second " * 3), release, model)
    assert draft.context_items == 1
    assert "second" not in model.asked[0][0].content


async def test_an_unknown_question_type_has_no_default() -> None:
    with pytest.raises(ReleaseGap, match="no rule for question type 'odd'"):
        await answer(a_question(question_type="odd"), [], a_release())


async def test_a_release_with_a_model_needs_one() -> None:
    release = a_release(BY_MODEL, prompts=PROMPTS, answer="openai", judge="openai")
    with pytest.raises(ReleaseGap):
        await answer(a_question(), [], release)


async def test_an_agents_own_words_are_the_answer_and_nobody_is_called() -> None:
    draft = await answer(a_question(), memories(" On shelf 9. "), a_release(answer="agent"))

    assert (draft.record.text, draft.record.answerer) == ("On shelf 9.", "agent")
    assert (draft.primary_calls, draft.context_items, draft.completion_tokens) == (0, 0, len(" On shelf 9. "))


async def test_an_agent_that_says_nothing_answers_with_nothing() -> None:
    assert (await answer(a_question(), [], a_release(answer="agent"))).record.text == ""


async def test_an_agent_that_answers_twice_breaks_the_contract() -> None:
    with pytest.raises(AgentSaidTwice) as failed:
        await answer(a_question(), memories("yes", "no"), a_release(answer="agent"))

    assert failed.value.reason == "contract"
