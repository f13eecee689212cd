from fractions import Fraction

from aml.judge.scoring.verdict import FULL, Verdict, millionths, outcome_of


def test_only_a_full_score_is_correct_and_only_none_is_incorrect() -> None:
    assert [outcome_of(score) for score in (0, 1, FULL - 1, FULL)] == ["incorrect", "graded", "graded", "correct"]


def test_shares_are_rounded_half_up_without_floats() -> None:
    assert millionths(Fraction(2, 3)) == 666_667
    assert millionths(Fraction(1, 2_000_000)) == 1
    assert millionths(Fraction(1)) == FULL


def test_the_record_keeps_the_judges_words() -> None:
    verdict = Verdict(
        score=0, outcome="incorrect", rule="llm_judge", reason="no", judge_reply="{}", model="m", primary_calls=1
    )
    record = verdict.as_record()
    assert (record.rule, record.judge_reply, record.model) == ("llm_judge", "{}", "m")
