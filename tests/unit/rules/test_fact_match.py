import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.rules.fact_match import fold, says


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("It is on shelf 47.", "47"),
        ("在47号车位", "47"),
        ("Cutler’s Row 31", "cutler's row 31"),
        ("The file is 38–417", "38-417"),
        ("It costs 15,900 in all", "15900"),
        ("it costs 15900", "15,900"),
        ("Block  D", "block d"),
        ("１２号", "12号"),
        ("minus 15 degrees", "minus 15"),
        ("他姓糜。", "糜"),
        ("It was 4.5 hours", "4.5"),
        ("at 9.", "9"),
    ],
)
def test_what_is_said(text: str, way: str) -> None:
    assert says(text, (way,))


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("shelf 147", "47"),
        ("shelf 47b", "47"),
        ("4.7 kilos", "7"),
        ("47.5 kilos", "47"),
        ("1,470 pieces", "470"),
        ("11 November", "1 November"),
        ("Achtermann", "Achter"),
        ("the greenhouse", "green"),
        ("anything", "   "),
        ("", "47"),
    ],
)
def test_what_is_not_said(text: str, way: str) -> None:
    assert not says(text, (way,))


def test_one_way_is_enough_and_none_says_nothing() -> None:
    assert says("seven o'clock", ("7", "seven"))
    assert not says("seven o'clock", ())


@given(st.text(max_size=40), st.text(max_size=40), st.text(min_size=1, max_size=20))
def test_a_text_of_its_own_between_blanks_is_said(before: str, after: str, way: str) -> None:
    assert says(f"{before} \n {way} \n {after}", (way,)) or not fold(way).strip()


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "way"),
    [("It is 60cm too short", "60 cm"), ("at 7am", "7"), ("on the 3rd floor", "3"), ("0.6m", "0.6"), ("60 cm", "60cm")],
)
def test_a_unit_stands_apart_from_its_number(text: str, way: str) -> None:
    assert says(text, (way,))
