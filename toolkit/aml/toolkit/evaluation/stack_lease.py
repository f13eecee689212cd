"""The local stack for as long as something needs it: started if none runs, and stopped again by whoever started it."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from aml.toolkit.local import LocalStack, StackInfo
from aml.toolkit.local.state import read_live_state


class StackLease(Struct, frozen=True):
    info: StackInfo
    stays: bool
    """It goes on running when the lease ends."""


@contextmanager
def lease_stack(stack: LocalStack, *, keep: bool) -> Iterator[StackLease]:
    """Raises `LocalStackError`. An interrupted start leaves nothing behind."""
    ran_before = read_live_state(stack.layout) is not None
    try:
        info = stack.ensure_running()
    except KeyboardInterrupt:
        if not ran_before:
            stack.stop()
        raise
    stays = keep or not info.started
    try:
        yield StackLease(info, stays)
    finally:
        if not stays:
            stack.stop()
