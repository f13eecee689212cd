"""A bus that is not connected says so in a way that hands work back instead of parking it."""

import pytest

from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus
from aml.runtime.settings import NatsSettings


async def test_what_needs_a_connection_fails_as_something_that_may_succeed_later() -> None:
    bus = Bus(NatsSettings(), name="test")

    with pytest.raises(TRANSIENT_BUS_ERRORS, match="not connected"):
        await bus.last_event("aml.v1.x")
    with pytest.raises(TRANSIENT_BUS_ERRORS, match="not connected"):
        await bus.append("aml.v1.x", b"{}")
    assert not bus.connected
