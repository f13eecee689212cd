"""Where the gold is not shown, a verdict does not tell it either."""

import pytest

from aml.contracts.benchmark import Gold, GoldFact
from aml.contracts.packs import FactVerdict, VerdictRecord
from aml.gateway.results.gold_cover import COVER, cover_gold, covered

GOLD = Gold(
    question_id="q",
    answers=("Lisbon", "the capital of Portugal"),
    facts=(GoldFact(any=("by train",)),),
    rubric=("names a city",),
)


def test_no_way_to_say_the_answer_is_left() -> None:
    text = "expected LISBON, the capital of Portugal, reached by train; names a city"

    assert covered(text, GOLD) == f"expected {COVER}, {COVER}, reached {COVER}; {COVER}"


def test_the_judges_reply_goes_whole() -> None:
    verdict = VerdictRecord(
        rule="llm_judge", score=0, reason="not Lisbon", judge_reply="It should say Lisbon or Lisboa."
    )

    shown = cover_gold(verdict, GOLD)

    assert (shown.reason, shown.judge_reply, shown.score) == ("judged incorrect", None, 0)


def test_a_models_reason_goes_too_since_it_may_tell_the_answer_in_other_words() -> None:
    verdict = VerdictRecord(rule="llm_judge", score=0, reason="Lisboa, not Porto", judge_reply='{"verdict": "no"}')

    assert "Lisboa" not in repr(cover_gold(verdict, GOLD))


def test_facts_and_what_is_forbidden_show_how_many_there_are_and_not_what_they_say() -> None:
    said = FactVerdict(text="by train", importance=2, said=True)
    verdict = VerdictRecord(rule="facts", score=0, reason="1 of 1 facts", facts=(said,), forbidden=("by plane",))

    shown = cover_gold(verdict, GOLD)

    assert shown.facts == (FactVerdict(text=COVER, importance=2, said=True),)
    assert shown.forbidden == (COVER,)


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("the date '7 May 2023' is missing", f"the date {COVER} is missing"),
        ("the number 5 is missing", f"the number {COVER} is missing"),
        ("the number 12.5 is missing", f"the number {COVER} is missing"),
        ("2 of the reference's 7 words found", "2 of the reference's 7 words found"),
        ('1 of 2 facts, but it asserts "it\'s red"', f"1 of 2 facts, but it asserts {COVER}"),
    ],
)
def test_a_part_of_the_answer_that_a_rule_looked_for_is_covered(reason: str, shown: str) -> None:
    gold = Gold(question_id="q", answers=("She moved on 7 May 2023 with five cats",))

    assert cover_gold(VerdictRecord(rule="rule_judge", score=0, reason=reason), gold).reason == shown


def test_a_digit_that_is_the_whole_answer_is_covered_where_it_stands_alone() -> None:
    gold = Gold(question_id="q", answers=("5",))

    assert covered("expected 5, found 4 in 15 of 5.5 cases", gold) == f"expected {COVER}, found 4 in 15 of 5.5 cases"


def test_a_reason_that_tells_nothing_stays() -> None:
    assert covered("token F1", GOLD) == "token F1"
    assert covered("a reason", Gold(question_id="q", answers=("a",))) == "a reason"
