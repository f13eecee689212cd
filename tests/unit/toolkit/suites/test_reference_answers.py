"""The judge and the scenarios belong together: every reference answer is right, and no answer at all is wrong."""

from collections.abc import Iterator

import pytest

from aml.contracts.benchmark import Gold, GoldFact
from aml.contracts.vocabulary import Language
from aml.judge.scoring.fact_judge import judge_by_facts
from aml.toolkit.suites.fact_ways import ways_to_say
from aml.toolkit.suites.library import own_library
from aml.toolkit.suites.scenario import ScenarioQuestion


def golds(language: Language) -> Iterator[tuple[str, ScenarioQuestion, Gold]]:
    for source in own_library(language):
        for scenario in source.file.scenarios:
            for question in scenario.questions:
                gold = Gold(
                    question_id=f"{source.file.category}/{scenario.id}",
                    answers=(question.answer,),
                    abstention=question.judge == "abstention",
                    facts=tuple(
                        GoldFact(any=ways_to_say(fact.any, language), importance=fact.importance)
                        for fact in question.facts
                    ),
                    forbidden=tuple(ways_to_say(each, language) for each in question.forbidden),
                )
                yield gold.question_id, question, gold


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_reference_answer_is_right(language: Language) -> None:
    wrong = {
        name: (question.answer, found.reason)
        for name, question, gold in golds(language)
        if (found := judge_by_facts(question.judge, gold, question.answer)).score != 1_000_000
    }

    assert wrong == {}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("answer", ["", "Yes.", "I do not know.", "不知道。"])
def test_an_answer_that_says_nothing_is_right_only_for_abstentions(language: Language, answer: str) -> None:
    right = {
        question.judge
        for _, question, gold in golds(language)
        if judge_by_facts(question.judge, gold, answer).score == 1_000_000
    }

    assert right <= {"abstention"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_answer_with_something_forbidden_is_never_right(language: Language) -> None:
    right = {
        name: ways[0]
        for name, question, gold in golds(language)
        for ways in gold.forbidden or ()
        if judge_by_facts(question.judge, gold, f"{question.answer} {ways[0]}.").score == 1_000_000
        and question.judge != "abstention"
    }

    assert right == {}
