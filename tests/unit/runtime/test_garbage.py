"""Once started, a process walks over what it made since, and seldom."""

import gc
from collections.abc import Iterator

import pytest

from aml.runtime.garbage import YOUNG, settle


@pytest.fixture
def as_before() -> Iterator[None]:
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


@pytest.mark.usefixtures("as_before")
def test_what_the_start_made_is_out_of_sight_and_later_cycles_are_still_found() -> None:
    settle()
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold()[0] == YOUNG
    cycle: list[object] = []
    cycle.append(cycle)
    del cycle
    assert gc.collect() >= 1
