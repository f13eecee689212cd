import pytest

from aml.judge.language.dates import dates_in

SEVENTH = (2023, 5, 7)


@pytest.mark.parametrize(
    "text",
    [
        "2023-05-07",
        "2023/5/7",
        "7 May 2023",
        "7th of May 2023",
        "May 7, 2023",
        "may 7th 2023",
        "2023年5月7日",
        "2023年5月7号",
    ],
)
def test_one_day_in_every_notation(text: str) -> None:
    (found,) = dates_in(f"on {text}.")
    assert found[:3] == SEVENTH


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("June 2023", (2023, 6, None)),
        ("in 1998", (1998, None, None)),
        ("2022年", (2022, None, None)),
        ("5月3日", (None, 5, 3)),
        ("3 Sept", (None, 9, 3)),
    ],
)
def test_missing_parts_stay_missing(text: str, parts: tuple[int | None, ...]) -> None:
    (found,) = dates_in(text)
    assert found[:3] == parts


@pytest.mark.parametrize("text", ["you may go", "2023-13-45", "room 1234567", "3 apples", "no digits at all"])
def test_these_are_no_dates(text: str) -> None:
    assert dates_in(text) == ()


def test_a_finer_date_covers_a_coarser_one_and_not_the_other_way() -> None:
    day, month, other = dates_in("7 May 2023"), dates_in("May 2023"), dates_in("8 May 2023")
    assert day[0].covers(month[0])
    assert not month[0].covers(day[0])
    assert not other[0].covers(day[0])
