"""The judge by facts: what each question type does with what an answer asserts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.contracts.benchmark import Gold, GoldFact
from aml.judge.scoring.fact_judge import FACT_TYPES, judge_by_facts


def a_gold(*facts: str | GoldFact, forbidden: tuple[str, ...] = (), abstention: bool = False) -> Gold:
    return Gold(
        question_id="q",
        answers=("the reference",),
        abstention=abstention,
        facts=tuple(GoldFact(any=(fact,)) if isinstance(fact, str) else fact for fact in facts),
        forbidden=tuple((each,) for each in forbidden),
    )


def points(judge_type: str, gold: Gold, answer: str) -> int:
    return judge_by_facts(judge_type, gold, answer).score // 10_000


@pytest.mark.parametrize("judge_type", sorted(FACT_TYPES - {"abstention"}))
def test_an_answer_that_says_the_fact_is_right_and_one_that_does_not_is_wrong(judge_type: str) -> None:
    gold = a_gold("shelf 9")

    assert points(judge_type, gold, "They are on shelf 9.") == 100
    assert points(judge_type, gold, "They are in the kiln.") == 0
    assert points(judge_type, gold, "") == 0
    assert points(judge_type, gold, "I don't know, maybe it was never mentioned. Shelf 9?") == 0


def test_facts_count_by_their_importance() -> None:
    gold = a_gold(GoldFact(any=("shelf 9",), importance=90), GoldFact(any=("blue",), importance=10))

    assert points("standard", gold, "On shelf 9.") == 90
    assert points("standard", gold, "Something blue.") == 10
    found = judge_by_facts("standard", gold, "On shelf 9.")
    assert [(fact.text, fact.said) for fact in found.facts or ()] == [("shelf 9", True), ("blue", False)]


def test_synthesis_short_of_a_piece_never_passes() -> None:
    gold = a_gold("Oslo", "May", "Ines", "violin")

    assert points("synthesis", gold, "Oslo in May with Ines and the violin") == 100
    assert points("synthesis", gold, "Oslo in May with Ines") == 37


@pytest.mark.parametrize(
    "answer", ["Either shelf 6 or shelf 9.", "Shelf 9 and shelf 6.", "On shelf 6, or was it 9? shelf 9."]
)
def test_hedging_between_the_right_and_a_forbidden_value_is_not_right(answer: str) -> None:
    assert points("standard", a_gold("shelf 9", forbidden=("shelf 6",)), answer) == 0


def test_a_replaced_value_may_be_told_as_past_only() -> None:
    gold = a_gold("shelf 9", forbidden=("shelf 6",))

    assert points("update", gold, "It was shelf 6 before. Now it is shelf 9.") == 100
    assert points("update", gold, "It is shelf 6, or shelf 9.") == 0


def test_each_earlier_value_of_a_chain_costs_thirty_points() -> None:
    gold = a_gold("shelf 9", forbidden=("shelf 6", "shelf 7", "shelf 8", "shelf 5"))

    assert points("correction_chain", gold, "Shelf 9.") == 100
    assert points("correction_chain", gold, "Shelf 9, shelf 6.") == 70
    assert points("correction_chain", gold, "Shelf 9, shelf 6, shelf 7.") == 40
    assert points("correction_chain", gold, "Shelf 9, shelf 6, shelf 7, shelf 8, shelf 5.") == 0
    assert judge_by_facts("correction_chain", gold, "Shelf 9, shelf 6.").forbidden == ("shelf 6",)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("It was never mentioned.", True),
        ("I don't know.", True),
        ("没有提到。", True),
        ("Her name is Ines.", False),
        ("", False),
    ],
)
def test_an_abstention_is_right_only_as_an_abstention(answer: str, right: bool) -> None:
    assert points("abstention", a_gold(abstention=True), answer) == (100 if right else 0)


def test_what_was_made_up_is_named() -> None:
    found = judge_by_facts("abstention", a_gold(abstention=True, forbidden=("Ines",)), "Her name is Ines.")

    assert found.forbidden == ("Ines",)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("On 18 March 2025.", True),
        ("On 19 March.", True),
        ("2025-03-17", True),
        ("March 16th, 2025", False),
        ("in March 2025", False),
        ("18 March 2024", False),
        ("3月18日", True),
    ],
)
def test_a_date_is_right_within_a_day(answer: str, right: bool) -> None:
    gold = a_gold(GoldFact(any=("18 March 2025", "2025-03-18", "18 March", "3月18日")))

    assert points("temporal", gold, answer) == (100 if right else 0)


@pytest.mark.parametrize(
    ("answer", "right"),
    [("21 days", True), ("twenty-two days", True), ("20", True), ("19 days", False), ("On 21 June 2025", False)],
)
def test_a_number_is_right_within_one(answer: str, right: bool) -> None:
    assert points("temporal", a_gold(GoldFact(any=("21 days", "three weeks"))), answer) == (100 if right else 0)


def test_near_is_for_temporal_only() -> None:
    assert points("standard", a_gold("21 days"), "22 days") == 0


def test_gold_without_facts_cannot_be_judged() -> None:
    with pytest.raises(ValueError, match="names no facts"):
        judge_by_facts("standard", Gold(question_id="q", answers=("x",)), "x")


WORDS = ("amber", "birch", "cedar", "dune", "ember", "fjord")


@given(
    judge_type=st.sampled_from(sorted(FACT_TYPES - {"abstention"})),
    said=st.sets(st.sampled_from(WORDS[:4])),
    wrong=st.sets(st.sampled_from(WORDS[4:])),
    extra=st.sampled_from(WORDS),
)
def test_a_fact_less_or_a_forbidden_one_more_never_raises_a_score(
    judge_type: str, said: set[str], wrong: set[str], extra: str
) -> None:
    gold = a_gold(*WORDS[:4], forbidden=WORDS[4:])
    score = points(judge_type, gold, ". ".join(sorted(said | wrong)))

    assert points(judge_type, gold, ". ".join(sorted((said - {extra}) | wrong))) <= score
    if extra in WORDS[4:]:
        assert points(judge_type, gold, ". ".join(sorted(said | wrong | {extra}))) <= score
    assert 0 <= score <= 100


def test_where_too_much_is_asked_what_is_known_counts_beside_the_admission() -> None:
    gold = a_gold("cash", "not mentioned", forbidden=("3800",))

    assert points("specificity_attack", gold, "He paid in cash; the hour was not mentioned.") == 100
    assert points("specificity_attack", gold, "The hour was not mentioned.") == 50
    assert points("specificity_attack", gold, "In cash, 3800; the hour was not mentioned.") == 0


def test_denying_one_value_and_asserting_another_is_an_answer() -> None:
    gold = a_gold("shelf 9", forbidden=("shelf 6",))

    assert points("standard", gold, "You didn't say shelf 6, you said shelf 9.") == 100
    assert points("standard", gold, "You didn't say shelf 9, you said shelf 6.") == 0


def test_more_than_was_told_may_be_declined_in_any_words() -> None:
    gold = a_gold("Danish", GoldFact(any=("not mentioned", "never mentioned")))

    assert points("specificity_attack", gold, "Danish, but you didn't tell me the year.") == 100
    assert points("specificity_attack", gold, "Danish, from 1931.") == 50
    assert points("specificity_attack", gold, "I don't know.") == 0
    assert points("specificity_attack", a_gold("not mentioned"), "I don't know.") == 100


def test_thinking_aloud_is_no_answer() -> None:
    gold = a_gold("shelf 9", forbidden=("shelf 6",))

    assert points("standard", gold, "<think>Shelf 6? No.</think>Shelf 9.") == 100
    assert points("standard", gold, "<think>Shelf 9?\nShelf 9.</think>In the kiln.") == 0


def test_who_declines_after_what_is_known_declines_unless_it_makes_something_up() -> None:
    gold = a_gold(abstention=True, forbidden=("ten past nine",))

    assert points("abstention", gold, "It is with the ear doctor. However, you never told me the time.") == 100
    assert points("abstention", gold, "At ten past nine. However, you never told me the street.") == 0


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("three weeks", True),
        ("not 21 days, but 12", False),
        ("30 days, after 20 hours of rest", False),
        ("20 months", False),
    ],
)
def test_days_are_counted_in_days(answer: str, right: bool) -> None:
    assert points("temporal", a_gold(GoldFact(any=("21 days", "21"))), answer) == (100 if right else 0)
