"""Our own scenarios, held to what the suites promise of them."""

from collections import Counter
from itertools import combinations
from math import sqrt
from typing import get_args

import pytest

from aml.contracts.vocabulary import JudgeType, Language
from aml.judge.language.words import term_set
from aml.judge.scoring.fact_judge import judge_by_facts
from aml.judge.scoring.rule_judge import judge_by_rules
from aml.judge.scoring.verdict import FULL
from aml.rules.fact_match import says
from aml.toolkit.suites.categories import CATEGORIES, Category, Difficulty
from aml.toolkit.suites.compilation import Case, compile_cases, pick_scenarios
from aml.toolkit.suites.library import own_library, own_scenarios
from aml.toolkit.suites.presets import PRESETS
from aml.toolkit.suites.scenario import Line
from aml.toolkit.suites.small_talk import talk_grammar
from aml.toolkit.suites.talk import read_talk
from aml.toolkit.suites.validate import validate

LANGUAGES: tuple[Language, ...] = get_args(Language)


@pytest.fixture(scope="module", params=LANGUAGES)
def cases(request: pytest.FixtureRequest) -> list[Case]:
    full = PRESETS["full"]
    return list(compile_cases(full, pick_scenarios(full, language=request.param), seed=42, language=request.param))


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_keep_to_the_format(language: Language) -> None:
    assert [str(problem) for problem in validate(own_library(language))] == []


@pytest.mark.parametrize("category", CATEGORIES)
def test_how_many_there_are(category: Category) -> None:
    english = Counter(each.difficulty for each in own_scenarios(category, "en").file.scenarios)
    assert sum(english.values()) >= 10
    assert all(english[level] >= 3 for level in get_args(Difficulty))
    chinese = Counter(each.difficulty for each in own_scenarios(category, "zh").file.scenarios)
    assert all(chinese[level] >= 1 for level in get_args(Difficulty))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_is_what_its_name_says(language: Language) -> None:
    for category in CATEGORIES:
        file = own_scenarios(category, language).file
        assert (file.category, file.language) == (category, language)


def test_every_judge_type_is_used(cases: list[Case]) -> None:
    assert {key.judge for case in cases for key in case.keys} == set(get_args(JudgeType))


def test_the_reference_answer_satisfies_both_rule_judges_and_silence_neither(cases: list[Case]) -> None:
    for case in cases:
        for key, gold in zip(case.keys, case.sample.gold, strict=True):
            if key.judge != "specificity_attack":  # half of it abstains, which the judge of other releases cannot know
                assert judge_by_rules(gold, key.answer).score == FULL, key.question_id
            assert judge_by_facts(key.judge, gold, key.answer).score == FULL, key.question_id
            assert judge_by_rules(gold, "").score == judge_by_facts(key.judge, gold, "").score == 0


def test_every_near_miss_costs_an_answer_its_full_score(cases: list[Case]) -> None:
    for case in cases:
        for key, gold in zip(case.keys, case.sample.gold, strict=True):
            for ways in key.forbidden:
                verdict = judge_by_facts(key.judge, gold, f"{key.answer} {ways[0]}.")
                assert verdict.score < FULL or key.judge == "abstention", (key.question_id, ways[0])


def test_quoting_the_nearest_turn_is_enough_for_easy_ones_and_not_for_hard_ones(cases: list[Case]) -> None:
    """What a memory that only retrieves can reach: the hard ones need more than one turn, or a step of thought."""
    reached: dict[Difficulty, list[int]] = {level: [] for level in get_args(Difficulty)}
    for case in cases:
        turns = [turn.content for session in case.sample.sessions for turn in session.turns]
        for key, gold in zip(case.keys, case.sample.gold, strict=True):
            asked = term_set(key.ask)
            quoted = max(turns, key=lambda turn: len(asked & term_set(turn)) / sqrt(1 + len(term_set(turn))))
            reached[key.difficulty].append(judge_by_facts(key.judge, gold, quoted).score)
    shares = {level: sum(scores) / len(scores) / FULL for level, scores in reached.items()}
    assert shares["easy"] > 0.5
    assert shares["easy"] > shares["medium"] > shares["hard"]
    assert shares["hard"] < 0.25


def test_no_two_questions_are_asked_in_the_same_words(cases: list[Case]) -> None:
    asked = Counter(key.ask for case in cases for key in case.keys if key.depth in {None, 5})
    assert [text for text, times in asked.items() if times > 1] == []


def test_a_question_does_not_give_its_answer_away(cases: list[Case]) -> None:
    """Where it names the right one, it names the wrong ones too."""
    for case in cases:
        for key in case.keys:
            given = bool(key.facts) and all(says(key.ask, fact.any) for fact in key.facts)
            assert not given or key.forbidden, key.question_id


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_scenarios_are_alike(language: Language) -> None:
    told = {
        f"{source.file.category}-{scenario.id}": frozenset(
            word
            for session in scenario.sessions
            for part in read_talk(session.talk)
            if isinstance(part, Line) and part.label is not None
            for word in term_set(part.text)
        )
        for source in own_library(language)
        for scenario in source.file.scenarios
    }
    alike = [
        (one, other)
        for (one, a), (other, b) in combinations(told.items(), 2)
        if len(a & b) > 0.5 * max(1, min(len(a), len(b)))
    ]
    assert alike == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_small_talk_answers_no_abstention(language: Language) -> None:
    topics = talk_grammar(language).topics
    spoken = [text for each in topics for text in (*each.a, *each.b, *each.user, *each.assistant, *each.more)]
    for scenario in own_scenarios("abstention", language).file.scenarios:
        for question in scenario.questions:
            assert [text for text in spoken if says(text, question.absent)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_small_talk_says_nothing_that_a_question_asks_for(language: Language) -> None:
    """Names and figures of two characters and more; small numbers may stand anywhere."""
    topics = talk_grammar(language).topics
    spoken = "\n".join(text for each in topics for text in (*each.a, *each.b, *each.user, *each.assistant, *each.more))
    for source in own_library(language):
        for scenario in source.file.scenarios:
            for question in scenario.questions:
                for fact in question.facts:
                    if not fact.inferred and fact.importance >= 80:
                        assert not says(spoken, fact.any[:1]), (scenario.id, fact.any[0])
