import pytest

from aml.judge.scoring.choice import chosen_letters, score_choice
from aml.judge.scoring.verdict import FULL

OPTIONS = ("(a) a dog", "(b) two cats", "(c) a parrot", "(d) none")


@pytest.mark.parametrize(
    ("answer", "letters"),
    [
        ("(c)", "C"),
        ("c", "C"),
        ("C.", "C"),
        ("**C**", "C"),
        ("The answer is c", "C"),
        ("Option (b)", "B"),
        ("a parrot", "C"),
        ("(c) a parrot", "C"),
        ("（Ｂ）", "B"),
        ("a, c", "AC"),
        ("a and c", "AC"),
        ("(c), because (a) is old", "AC"),
        ("A dog would be nice", ""),
        ("(x)", ""),
        ("", ""),
        ("No information available.", ""),
    ],
)
def test_letters_are_read_only_where_they_are_a_choice(answer: str, letters: str) -> None:
    assert chosen_letters(answer, OPTIONS) == frozenset(letters)


def test_the_set_must_be_exactly_the_gold_set() -> None:
    assert score_choice(["C"], OPTIONS, "(c)").score == FULL
    assert score_choice(["C"], OPTIONS, "(a) (c)").score == 0
    assert score_choice(["(A)", "(C)"], OPTIONS, "(a) (c)").score == FULL
    assert score_choice(["A", "C"], OPTIONS, "(c)").score == 0
