import pytest
from tests.factories.judging import ScriptedModel, a_gold, a_question, a_release, an_answer

from aml.contracts.benchmark import GoldFact
from aml.contracts.packs import FactVerdict
from aml.contracts.release import ScoringRule
from aml.judge.errors import ReleaseGap
from aml.judge.scoring.score import score
from aml.judge.scoring.verdict import FULL


async def test_each_rule_without_a_model_is_reached_by_its_name() -> None:
    by_rules = await score(a_question(), a_gold("Ghent"), an_answer("in Ghent"), a_release())
    assert (by_rules.rule, by_rules.score, by_rules.outcome) == ("rule_judge", FULL, "correct")

    f1 = a_release(ScoringRule(rule="locomo_f1"), question_type="locomo_single_hop")
    graded = await score(a_question(question_type="locomo_single_hop"), a_gold("red fox"), an_answer("fox"), f1)
    assert (graded.rule, graded.score, graded.outcome) == ("locomo_f1", 666_667, "graded")

    choice = a_release(ScoringRule(rule="choice"), question_type="choice")
    question = a_question(question_type="choice", options=("x", "y"))
    assert (await score(question, a_gold("B"), an_answer("(b)"), choice)).outcome == "correct"


async def test_facts_are_judged_by_the_type_of_the_question() -> None:
    release = a_release(ScoringRule(rule="facts"), question_type="update")
    gold = a_gold("9", facts=(GoldFact(any=("shelf 9",)),), forbidden=(("shelf 6",),))
    verdict = await score(a_question(question_type="update"), gold, an_answer("shelf 6"), release)
    assert (verdict.rule, verdict.outcome, verdict.forbidden) == ("facts", "incorrect", ("shelf 6",))
    assert verdict.as_record().facts == (FactVerdict(text="shelf 9", importance=100, said=False),)


async def test_a_judging_model_reads_the_facts_beside_the_reference() -> None:
    release = a_release(
        ScoringRule(rule="llm_judge", judge_prompt="j.md"), prompts={"j.md": "{{rubric}}"}, judge="openai"
    )
    model = ScriptedModel("correct")
    gold = a_gold("9", facts=(GoldFact(any=("shelf 9", "nine")),), forbidden=(("shelf 6",),))
    await score(a_question(), gold, an_answer("y"), release, model)
    assert "needed: shelf 9 or nine" in str(model.asked)
    assert "forbidden: shelf 6" in str(model.asked)


async def test_a_model_judges_with_the_prompt_of_the_question_type() -> None:
    release = a_release(
        ScoringRule(rule="llm_judge", judge_prompt="j.md"), prompts={"j.md": "{{answer}}"}, judge="openai"
    )
    verdict = await score(a_question(), a_gold("x"), an_answer("y"), release, ScriptedModel("incorrect"))
    assert (verdict.rule, verdict.outcome) == ("llm_judge", "incorrect")
    assert verdict.prompt_fingerprint == release.fingerprints["j.md"]


@pytest.mark.parametrize("rule", ["llm_judge", "locomo_f1", "facts", "ordering", "rubric"])
async def test_what_cannot_be_scored_is_an_error_and_never_a_zero(rule: str) -> None:
    release = a_release(ScoringRule(rule=rule, judge_prompt="j.md"), prompts={"j.md": "{{answer}}"})  # type: ignore[arg-type]
    with pytest.raises(ReleaseGap):
        await score(a_question(), a_gold("x"), an_answer("y"), release)
