"""Who stops the stack: the last of those that use it, and only if one of them started it for themselves."""

from pathlib import Path
from typing import Any

import pytest

from aml.toolkit.evaluation.stack_lease import lease_stack
from aml.toolkit.local import StackInfo
from aml.toolkit.local.home import Layout
from aml.toolkit.local.state import Addresses


class Stack:
    """A local stack without processes."""

    def __init__(self, home: Path, *, running: bool = False) -> None:
        self.layout = Layout(home)
        self.running = running
        self.interrupted = False
        self.stops = 0

    def ensure_running(self) -> StackInfo:
        started, self.running = not self.running, True
        if self.interrupted:
            raise KeyboardInterrupt
        addresses = Addresses(nats_url="", nats_token_file=None, database_url="", database_password_file=None)
        return StackInfo(
            home=self.layout.home, portal="http://h", operator_key_file=self.layout.operator_key_file,
            board=self.layout.board, ports={}, addresses=addresses, started=started,
        )  # fmt: skip

    def stop(self) -> bool:
        self.stops += 1
        was, self.running = self.running, False
        return was


def lease(stack: Stack, *, keep: bool = False) -> Any:
    return lease_stack(stack, keep=keep)  # type: ignore[arg-type]


def test_who_starts_it_stops_it(tmp_path: Path) -> None:
    stack = Stack(tmp_path)
    with lease(stack) as held:
        assert not held.stays
    assert (stack.running, stack.stops) == (False, 1)


def test_a_stack_that_ran_before_goes_on(tmp_path: Path) -> None:
    stack = Stack(tmp_path, running=True)
    with lease(stack) as held:
        assert held.stays
    assert stack.running


def test_a_kept_stack_goes_on_and_is_nobodys_to_stop(tmp_path: Path) -> None:
    stack = Stack(tmp_path)
    with lease(stack, keep=True) as held:
        assert held.stays
    with lease(stack):
        pass
    assert stack.running


def test_the_last_of_two_stops_it(tmp_path: Path) -> None:
    stack = Stack(tmp_path)
    first, second = lease(stack), lease(stack)
    with second:
        pass
    assert stack.stops == 1
    with first as one:
        third = lease(stack)
        third.__enter__()
        assert one.stays, "the other still needs it"
    assert stack.running
    third.__exit__(None, None, None)
    assert (stack.running, stack.stops) == (False, 2)


def test_an_interrupted_start_leaves_nothing_running(tmp_path: Path) -> None:
    stack = Stack(tmp_path)
    stack.interrupted = True
    with pytest.raises(KeyboardInterrupt), lease(stack):
        pass
    assert (stack.running, stack.stops) == (False, 1)
