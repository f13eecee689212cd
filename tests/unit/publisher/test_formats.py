from datetime import datetime, timedelta, timezone

import pytest

from aml.publisher.formats import (
    count,
    duration,
    iso_instant,
    latency_tick,
    margin,
    millis_of,
    percent,
    tokens_tick,
    utc_date,
    utc_minute,
    zoned_minute,
)


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


@pytest.mark.parametrize(
    ("overall", "low", "high", "text"), [(700_000, 640_000, 720_000, "6.0"), (700_000, 690_000, 754_000, "5.4")]
)
def test_a_margin_is_the_wider_half(overall: int, low: int, high: int, text: str) -> None:
    assert margin(overall, low, high) == text


@pytest.mark.parametrize(("micros", "text"), [(500, "500 µs"), (1_000, "1 ms"), (2_000_000, "2 s")])
def test_a_step_of_latency(micros: int, text: str) -> None:
    assert latency_tick(micros) == text


@pytest.mark.parametrize(("tokens", "text"), [(500, "500"), (2_000, "2k"), (5_000_000, "5M")])
def test_a_step_of_tokens(tokens: int, text: str) -> None:
    assert tokens_tick(tokens) == text


def test_an_announced_time_keeps_its_zone_and_gets_utc_beside_it() -> None:
    announced = datetime(2026, 11, 4, 23, 59, tzinfo=timezone(timedelta(hours=8)))

    assert zoned_minute(announced, "UTC+8") == "2026-11-04 23:59 UTC+8"
    assert utc_minute(millis_of(announced)) == "2026-11-04 15:59 UTC"
    assert iso_instant(millis_of(announced)) == "2026-11-04T15:59:00Z"
