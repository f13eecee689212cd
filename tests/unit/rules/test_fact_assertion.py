"""What an answer asserts, denies, asks and tells as past."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.rules.fact_assertion import asserts, asserts_as_current, undenied


@pytest.mark.parametrize(
    "text",
    [
        "On shelf 9.",
        "Shelf 9, I believe.",
        "You moved them; they are on shelf 9 now.",
        "It is not shelf 6 but shelf 9.",
        "Not shelf 6. Shelf 9.",
        "It isn't on shelf 6, it is on shelf 9.",
        "They lie on SHELF-9!",
    ],
)
def test_an_assertion(text: str) -> None:
    assert asserts(text, ("shelf 9",))


@pytest.mark.parametrize(
    "text",
    [
        "It is not shelf 9.",
        "It isn't shelf 9, it is shelf 6.",
        "You never said shelf 9.",
        "Is it shelf 9?",
        "Shelf 6 rather than shelf 9.",
        "Shelf 99.",
        "",
    ],
)
def test_no_assertion(text: str) -> None:
    assert not asserts(text, ("shelf 9",))


@pytest.mark.parametrize("text", ["在9号架上。", "你的釉片在9号架，不在6号架。", "不是6号架，而是9号架。"])
def test_a_chinese_assertion(text: str) -> None:
    assert asserts(text, ("9号架",))


@pytest.mark.parametrize("text", ["不在9号架上。", "是9号架吗？", "没有提到9号架。"])
def test_no_chinese_assertion(text: str) -> None:
    assert not asserts(text, ("9号架",))


def test_a_way_that_denies_is_read_as_it_is() -> None:
    assert asserts("She never eats fish.", ("never eats fish", "does not eat fish"))
    assert asserts("没有糖的那种。", ("没有糖",))


def test_a_mention_over_clauses_counts() -> None:
    assert asserts("It is in Maple Street, number 9.", ("Maple Street, number 9",))


@pytest.mark.parametrize(
    "text", ["It was shelf 6 before, now it is shelf 9.", "It moved from shelf 6 to another one.", "以前在shelf 6。"]
)
def test_what_is_told_as_past_is_not_asserted_as_current(text: str) -> None:
    assert not asserts_as_current(text, ("shelf 6",))


def test_what_holds_now_is_asserted_as_current() -> None:
    assert asserts_as_current("It is on shelf 6.", ("shelf 6",))


def test_decimal_numbers_are_no_ends_of_clauses() -> None:
    assert not asserts("It does not weigh 4.75 kg", ("4.75",))


@given(st.text(max_size=80), st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=3))
def test_what_is_not_mentioned_is_never_asserted(text: str, ways: list[str]) -> None:
    from aml.rules.fact_match import says

    if asserts(text, ways):
        assert says(text, ways)
    if asserts_as_current(text, ways):
        assert asserts(text, ways)


@pytest.mark.parametrize(
    "text", ["My aunt's shelf is shelf 9", "At present it is shelf 9", "Print it, want it: shelf 9 sent it"]
)
def test_a_word_that_ends_like_a_denial_is_none(text: str) -> None:
    assert asserts(text, ("shelf 9",))


@pytest.mark.parametrize("text", ["It isn't shelf 9", "It isn’t on shelf 9", "I can't say shelf 9"])
def test_a_contracted_denial(text: str) -> None:
    assert not asserts(text, ("shelf 9",))


@pytest.mark.parametrize(
    "text",
    [
        "Shelf number 4 - not shelf 6 - is hers, and yours is shelf 9.",
        "Shelf 9 (not shelf 6, which is Bruno's).",
        "Shelf 9 — not to be confused with shelf 6.",
        "Since you have no longer a kiln, take shelf 9 instead of shelf 6.",
        "They moved from shelf 6 to shelf 9.",
        "If I remember correctly it is shelf 9.",
    ],
)
def test_an_aside_denies_only_what_is_in_it(text: str) -> None:
    assert asserts(text, ("shelf 9",))


@pytest.mark.parametrize(
    "text",
    [
        "It is hardly shelf 9.",
        "It is anything but shelf 9.",
        "If it were shelf 9, you would know.",
        "Shelf 9 was wrong.",
    ],
)
def test_what_is_doubted_or_supposed_is_not_asserted(text: str) -> None:
    assert not asserts(text, ("shelf 9",))


@pytest.mark.parametrize("text", ["别用9号架。", "说9号架是错的。", "如果是9号架，就好了。"])
def test_what_is_doubted_in_chinese_is_not_asserted(text: str) -> None:
    assert not asserts(text, ("9号架",))


@pytest.mark.parametrize("text", ["They moved from shelf 6 to shelf 9.", "从shelf 6搬到shelf 9。"])
def test_where_something_moved_to_is_current_and_where_it_came_from_is_not(text: str) -> None:
    assert asserts_as_current(text, ("shelf 9",))
    assert not asserts_as_current(text, ("shelf 6",))


def test_what_is_left_without_denials() -> None:
    assert "21" not in undenied("Not 21 days. 12 days.")
    assert "12 days" in undenied("Not 21 days. 12 days.")
