import pytest

from aml.judge.language.polarity import is_negated, leading_polarity


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yes, since May", ("yes", "since may")),
        ("no", ("no", "")),
        ("是的，她去了", ("yes", "她去了")),
        ("不，没有", ("no", "没有")),
        ("Nora", None),
        ("Yesterday", None),
        ("对面的咖啡馆", None),
    ],
)
def test_a_leading_yes_or_no_is_split_off(text: str, expected: tuple[str, str] | None) -> None:
    assert leading_polarity(text) == expected


@pytest.mark.parametrize("text", ["she never went", "he doesn’t eat fish", "no longer there", "我不喜欢", "还没去"])
def test_negation_is_seen(text: str) -> None:
    assert is_negated(text)


@pytest.mark.parametrize("text", ["a notary", "another knot", "不错", "she went"])
def test_no_negation_where_there_is_none(text: str) -> None:
    assert not is_negated(text)
