import time

import pytest

from aml.judge.language.numbers import canonical, numbers_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,200.50 euros", {"1200.5"}),
        ("twenty-five dogs and 3 cats", {"25", "3"}),
        ("three hundred and two", {"302"}),
        ("two thousand five hundred", {"2500"}),
        ("twice", {"2"}),
        ("a dozen eggs", {"12"}),
        ("三个孩子", {"3"}),
        ("二十五次", {"25"}),
        ("一百二十元", {"120"}),
        ("我们一起去", set()),
        ("someone often phones", set()),
        ("on the 7th", {"7"}),
    ],
)
def test_numbers_are_read_as_canonical_decimals(text: str, expected: set[str]) -> None:
    assert numbers_in(text) == expected


def test_canonical_drops_what_carries_no_value() -> None:
    assert [canonical(text) for text in ("007", "3.50", "100", "0.0")] == ["7", "3.5", "100", "0"]


@pytest.mark.parametrize(
    "text", ["hundred " * 5_000, "dozen " * 5_000, "三十" * 40_000, "7" * 20_000, "twenty-" * 20_000]
)
def test_a_hostile_text_costs_neither_time_nor_an_error(text: str) -> None:
    began = time.process_time()

    numbers_in(text)

    assert time.process_time() - began < 2
