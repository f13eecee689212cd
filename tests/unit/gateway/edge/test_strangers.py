"""What an address without a key may leave behind in a day."""

import pytest

from aml.gateway.edge.strangers import Strangers
from aml.gateway.errors import MustWait

HOUR = 3600.0


def test_an_address_has_so_many_a_day_and_is_told_when_the_next_is_possible() -> None:
    now = [0.0]
    strangers = Strangers(2, clock=lambda: now[0])
    strangers.admit(b"1.1.1.1")
    strangers.admit(b"1.1.1.1")

    with pytest.raises(MustWait) as refused:
        strangers.admit(b"1.1.1.1")
    strangers.admit(b"2.2.2.2")
    now[0] = 12 * HOUR
    strangers.admit(b"1.1.1.1")

    assert (refused.value.reason, refused.value.seconds) == ("day_used_up", 12 * HOUR)


def test_without_a_limit_nobody_waits() -> None:
    strangers = Strangers(0)

    for _ in range(100):
        strangers.admit(b"1.1.1.1")
