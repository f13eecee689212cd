import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.contracts.benchmark import Gold
from aml.toolkit.longmemeval.predicates import predicates_of, with_predicates


@pytest.mark.parametrize(
    ("answer", "parts"),
    [
        ("Juniper", ("Juniper",)),
        ("She moved to Ghent. She kept the boat.", ("She moved to Ghent.", "She kept the boat.")),
        ("first the loom; then the kiln", ("first the loom", "then the kiln")),
        ("red, green and blue", ("red", "green", "blue")),
        ("Dr. Ames came at 9.30 a.m.", ("Dr. Ames came at 9.30 a.m.",)),
        ("1,250 euros", ("1,250 euros",)),
        ("in Ghent, Belgium, which was the reason for the whole long move", None),
    ],
)
def test_parts_of_an_answer(answer: str, parts: tuple[str, ...] | None) -> None:
    assert predicates_of(answer) == (parts if parts is not None else (answer,))


@given(st.text(min_size=1).filter(lambda text: any(character.isalnum() for character in text)))
def test_any_answer_has_a_part_and_loses_no_digit(answer: str) -> None:
    parts = predicates_of(answer)
    assert parts
    kept = "".join(parts)
    assert all(kept.count(character) >= 1 for character in set(answer) if character.isdigit())


def test_an_abstention_has_no_parts() -> None:
    gold = Gold(question_id="q", answers=(), abstention=True)
    assert with_predicates(gold) == gold
