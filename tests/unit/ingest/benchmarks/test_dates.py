from datetime import UTC, datetime

import pytest

from aml.ingest.benchmarks.dates import parse_locomo_time, parse_longmemeval_time, to_millis


def millis(*parts: int) -> int:
    return int(datetime(*parts, tzinfo=UTC).timestamp()) * 1000  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1:56 pm on 8 May, 2023", (2023, 5, 8, 13, 56)),
        ("12:09 am on 13 September, 2023", (2023, 9, 13, 0, 9)),
        ("12:30 pm on 1 January, 2022", (2022, 1, 1, 12, 30)),
        ("11:59 am on 29 February, 2024", (2024, 2, 29, 11, 59)),
    ],
)
def test_locomo_times_are_read_as_utc(text: str, parts: tuple[int, ...]) -> None:
    assert parse_locomo_time(text) == millis(*parts)


@pytest.mark.parametrize(
    "text", ["", "8 May, 2023", "13:56 pm on 8 May, 2023", "0:10 am on 8 May, 2023", "1:56 pm on 8 Mai, 2023",
             "1:56 pm on 30 February, 2023", "1:56 pm on 8 May, 1969"]
)  # fmt: skip
def test_other_locomo_times_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=text or "is not a time"):
        parse_locomo_time(text)


def test_longmemeval_times_are_read_as_utc() -> None:
    assert parse_longmemeval_time("2023/05/30 (Tue) 23:40") == millis(2023, 5, 30, 23, 40)


@pytest.mark.parametrize(
    "text", ["2023-05-30 23:40", "2023/05/30 23:40", "2023/13/30 (Tue) 23:40", "2023/05/30 (Tue) 24:40"]
)
def test_other_longmemeval_times_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is (not a|no) time"):
        parse_longmemeval_time(text)


def test_milliseconds_are_exact() -> None:
    assert to_millis(datetime(2038, 1, 19, 3, 14, 8, tzinfo=UTC)) == 2_147_483_648_000
