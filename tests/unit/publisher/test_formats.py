import pytest

from aml.publisher.formats import count, duration, iso_instant, percent, utc_date, utc_minute


@pytest.mark.parametrize(
    ("millionths", "text"),
    [(0, "0.0"), (499, "0.0"), (500, "0.1"), (724_499, "72.4"), (724_500, "72.5"), (999_500, "100.0"), (None, "—")],
)
def test_percent(millionths: int | None, text: str) -> None:
    assert percent(millionths) == text


@pytest.mark.parametrize(
    ("micros", "text"),
    [
        (0, "0.0 ms"),
        (9_949, "9.9 ms"),
        (10_000, "10 ms"),
        (1_499_499, "1,499 ms"),
        (10_000_000, "10.0 s"),
        (1_800_000_000, "1800.0 s"),
        (None, "—"),
    ],
)
def test_duration(micros: int | None, text: str) -> None:
    assert duration(micros) == text


def test_times_are_utc_and_say_so() -> None:
    assert utc_date(1_772_323_199_999) == "2026-02-28"
    assert utc_minute(1_772_323_200_000) == "2026-03-01 00:00 UTC"
    assert iso_instant(1_772_323_200_000) == "2026-03-01T00:00:00Z"


def test_thousands_are_grouped() -> None:
    assert count(1_234_567) == "1,234,567"
