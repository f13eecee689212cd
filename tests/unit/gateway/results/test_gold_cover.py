"""Where the gold is not shown, a verdict does not tell it either."""

from aml.contracts.benchmark import Gold, GoldFact
from aml.contracts.packs import VerdictRecord
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

    assert (shown.reason, shown.judge_reply, shown.score) == (f"not {COVER}", None, 0)


def test_a_reason_that_tells_nothing_stays() -> None:
    assert covered("token F1", GOLD) == "token F1"
    assert covered("a reason", Gold(question_id="q", answers=("a",))) == "a reason"
