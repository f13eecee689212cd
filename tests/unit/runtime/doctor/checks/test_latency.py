import pytest

from aml.runtime.doctor.checks.latency import spread


def test_percentiles_are_by_nearest_rank() -> None:
    found = spread([1000 * number for number in range(1, 21)])
    assert (found.p50, found.p95) == (10.0, 19.0)


@pytest.mark.parametrize(
    ("milliseconds", "delayed"),
    [
        ([44.0] * 20, True),
        ([40.1, 43.9, 44.0, 41.0, 300.0], True),
        ([44.0] * 10 + [2.0] * 10, False),
        ([1.0] * 20, False),
        ([80.0] * 20, False),
        ([20.0, 30.0, 40.0, 50.0, 60.0], False),
    ],
)
def test_a_flat_forty_milliseconds_is_told_from_a_slow_server(milliseconds: list[float], delayed: bool) -> None:
    assert spread([round(each * 1000) for each in milliseconds]).delayed is delayed
