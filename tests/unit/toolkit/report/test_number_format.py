"""Numbers as a reader expects them."""

import pytest

from aml.toolkit.report import number_format


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "—"), (0.0, "0.0"), (82.6543, "82.7"), (100.0, "100.0"), (99.96, "100.0")]
)
def test_a_score_has_one_decimal(value: float | None, shown: str) -> None:
    assert number_format.score(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "—"), (4.25, "+4.2"), (-16.2, "−16.2"), (0.04, "±0.0"), (-0.04, "±0.0"), (0.0, "±0.0")]
)
def test_points_carry_their_sign_and_never_a_signed_zero(value: float | None, shown: str) -> None:
    assert number_format.points(value) == shown


@pytest.mark.parametrize(
    ("millis", "shown"),
    [(None, "—"), (3.14, "3.1 ms"), (275.4, "275 ms"), (9_999.0, "9,999 ms"), (83_250.0, "83.2 s")],
)
def test_a_duration_chooses_its_unit(millis: float | None, shown: str) -> None:
    assert number_format.duration(millis) == shown


@pytest.mark.parametrize(
    ("amount", "shown"), [(None, "—"), (0.0, "0"), (0.048215, "0.048215"), (0.5, "0.5"), (1234.5, "1,234.50")]
)
def test_money_keeps_its_small_parts(amount: float | None, shown: str) -> None:
    assert number_format.money(amount) == shown


def test_an_interval_needs_both_ends() -> None:
    assert number_format.interval(70.0, 92.34) == "70.0–92.3"
    assert number_format.interval(None, 92.0) == "—"


@pytest.mark.parametrize(("millionths", "shown"), [(999, "< 0.001"), (1_000, "0.001"), (1_000_000, "1.000")])
def test_a_p_value_is_never_shown_as_nothing(millionths: int, shown: str) -> None:
    assert number_format.p_value(millionths) == shown


@pytest.mark.parametrize(
    ("instant", "shown"),
    [
        ("2026-01-02T03:04:05Z", "2026-01-02 03:04 UTC"),
        ("2026-01-02T03:04:05.123456+00:00", "2026-01-02 03:04 UTC"),
        ("2026-01-02T03:04:05+02:00", "2026-01-02T03:04:05+02:00"),
        ("yesterday", "yesterday"),
    ],
)
def test_only_an_instant_of_utc_is_called_that(instant: str, shown: str) -> None:
    assert number_format.minute(instant) == shown
