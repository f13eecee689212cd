"""Of two parties' limits the tighter holds."""

from hypothesis import given
from hypothesis import strategies as st

from aml.contracts.participant import CallLimits
from aml.runtime.participant.narrower_limits import narrower

SECONDS = st.floats(min_value=0.1, max_value=3600.0)
LIMITS = st.builds(
    CallLimits,
    connect_seconds=SECONDS,
    first_byte_seconds=SECONDS,
    total_seconds=SECONDS,
    max_response_bytes=st.integers(1, 1 << 30),
)


@given(LIMITS, LIMITS)
def test_neither_partys_limit_is_passed(one: CallLimits, other: CallLimits) -> None:
    both = narrower(one, other)

    for name in CallLimits.__struct_fields__:
        assert getattr(both, name) in (getattr(one, name), getattr(other, name))
        assert getattr(both, name) <= min(getattr(one, name), getattr(other, name))
    assert both == narrower(other, one)
    assert narrower(both, one) == both
