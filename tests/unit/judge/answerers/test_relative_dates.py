from datetime import date

import pytest

from aml.judge.answerers.relative_dates import resolve_relative

MONDAY = date(2023, 5, 8)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I went there yesterday", "7 May 2023"),
        ("the day before yesterday", "6 May 2023"),
        ("see you tomorrow", "9 May 2023"),
        ("we met last week", "the week before 8 May 2023"),
        ("last month it rained", "April 2023"),
        ("next year", "2024"),
        ("three days ago", "5 May 2023"),
        ("it has been three days since the tooth came out", "5 May 2023"),
        ("two weeks ago", "24 April 2023"),
        ("six months ago", "November 2022"),
        ("last Friday", "5 May 2023"),
        ("this past Saturday", "6 May 2023"),
        ("next Monday", "15 May 2023"),
        ("exactly two weeks from today", "22 May 2023"),
        ("in 3 days", "11 May 2023"),
        ("a few weeks ago", "a few weeks before 8 May 2023"),
        ("昨天去了", "7 May 2023"),
        ("三天前", "5 May 2023"),
        ("上个月", "April 2023"),
        ("两周后", "22 May 2023"),
        ("我喜欢茶", None),
        ("blast Monday", None),
    ],
)
def test_relative_words_are_counted_from_the_day_they_were_said(text: str, expected: str | None) -> None:
    assert resolve_relative(text, MONDAY) == expected
