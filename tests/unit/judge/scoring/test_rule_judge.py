import pytest
from tests.factories.judging import a_gold

from aml.judge.scoring.rule_judge import judge_by_rules
from aml.judge.scoring.verdict import FULL


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("Ghent", "She now lives in Ghent, by a canal"),
        ("a mustard yellow Fiat", "it was a yellow Fiat, mustard coloured"),
        ("7 May 2023", "on 2023-05-07"),
        ("May 2023", "7 May 2023"),
        ("2022", "some time in June 2022"),
        ("3", "three cats"),
        ("14 days", "It took 14 days"),
        ("Yes", "Yes, she did"),
        ("No", "She never went there"),
        ("Yes, since May 2023", "yes, it started in May 2023"),
        ("她住在北京", "她现在住在北京"),
        ("三只猫", "3只猫"),
        ("2023年5月7日", "7 May 2023"),
        ("one of her friends", "a friend of hers, one of the friends"),
        ("it", "it"),
    ],
)
def test_agreeing_answers_pass(reference: str, answer: str) -> None:
    assert judge_by_rules(a_gold(reference), answer).score == FULL


@pytest.mark.parametrize(
    ("reference", "answer", "reason"),
    [
        ("Ghent", "Porto", "0 of the reference's 1 words found"),
        ("7 May 2023", "May 2023", "the date '7 May 2023' is missing"),
        ("7 May 2023", "8 May 2023", "the date '7 May 2023' is missing"),
        ("3 cats", "4 cats", "the number 3 is missing"),
        ("Yes", "No, not at all", "the answer should be 'yes'"),
        ("No", "Yes", "the answer should be 'no'"),
        ("she likes tea", "she does not like tea", "one of reference and answer is negated, the other is not"),
        ("red, green, blue and white", "red and green", "2 of the reference's 4 words found"),
        ("Ghent", "No information available.", "abstained from an answerable question"),
        ("Ghent", "", "the answer is empty"),
    ],
)
def test_others_fail_with_the_reason(reference: str, answer: str, reason: str) -> None:
    verdict = judge_by_rules(a_gold(reference), answer)
    assert (verdict.score, verdict.reason) == (0, reason)


def test_any_acceptable_answer_is_enough() -> None:
    assert judge_by_rules(a_gold("980 euros", "980"), "it is 980").score == FULL


def test_one_line_of_a_rubric_is_enough() -> None:
    gold = a_gold("prefers quiet places and mountain huts", rubric=("mountain hut", "no pools"))
    assert judge_by_rules(gold, "a mountain hut in spring").score == FULL


@pytest.mark.parametrize(
    ("answer", "score"), [("Not mentioned.", FULL), ("没有提到", FULL), ("Ghent", 0), ("", 0), ("  \n", 0)]
)
def test_an_unanswerable_question_wants_an_abstention_and_an_empty_answer_is_none(answer: str, score: int) -> None:
    assert judge_by_rules(a_gold("Ghent", abstention=True), answer).score == score


@pytest.mark.parametrize("name", ["Juniper7", "BA117", "GPT4o", "room 12b"])
def test_a_name_with_a_number_in_it_agrees_with_itself(name: str) -> None:
    assert judge_by_rules(a_gold(name), name).score == FULL
    assert judge_by_rules(a_gold(name), f"I think it was {name}.").score == FULL
    assert judge_by_rules(a_gold(name), name.replace(name[-2:], "99")).score == 0
