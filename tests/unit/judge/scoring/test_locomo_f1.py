from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.judge.scoring.locomo_f1 import locomo_category, score_locomo, token_f1
from aml.judge.scoring.verdict import FULL


@pytest.mark.parametrize(
    ("reference", "answer", "expected"),
    [
        ("The cat and a dog", "cat dog", Fraction(1)),
        ("running", "runs", Fraction(1)),
        ("1,000", "1000", Fraction(1)),
        ("a b c d", "b c", Fraction(4, 5)),
        ("cat cat", "cat", Fraction(2, 3)),
        ("cat", "dog", Fraction(0)),
        ("", "", Fraction(0)),
        ("self-care", "selfcare", Fraction(1)),
    ],
)
def test_token_f1_after_normalisation(reference: str, answer: str, expected: Fraction) -> None:
    assert token_f1(reference, answer) == expected


def test_multi_hop_means_the_best_match_of_each_part() -> None:
    assert score_locomo("multi_hop", "pottery, camping", "camping, chess").score == 500_000
    assert score_locomo("multi_hop", "pottery, camping", "camping, pottery").score == FULL


def test_open_domain_ends_at_the_first_semicolon() -> None:
    assert score_locomo("open_domain", "likely yes; she moved; often", "Likely yes").score == FULL


def test_single_hop_does_not_split() -> None:
    assert score_locomo("single_hop", "pottery, camping", "camping").score == 666_667


@pytest.mark.parametrize(
    ("answer", "score"),
    [("No information available.", FULL), ("It is NOT MENTIONED there", FULL), ("I don't know", 0), ("", 0)],
)
def test_adversarial_knows_two_phrases(answer: str, score: int) -> None:
    assert score_locomo("adversarial", "", answer).score == score


def test_the_category_comes_from_the_question_type() -> None:
    assert locomo_category("locomo_single_hop") == "single_hop"
    assert locomo_category("single_hop") is None
    assert locomo_category("locomo_other") is None


@given(st.text(max_size=60), st.text(max_size=60))
def test_f1_is_symmetric_and_bounded(one: str, other: str) -> None:
    assert token_f1(one, other) == token_f1(other, one)
    assert 0 <= token_f1(one, other) <= 1
