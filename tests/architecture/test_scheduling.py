"""Tests of one stack run in one worker."""

import pytest
from tests.architecture.source_tree import ROOT
from tests.stack_scheduling import SHARED, group_of


@pytest.mark.parametrize("place", SHARED)
def test_every_shared_place_is_there(place: str) -> None:
    assert (ROOT / place).exists()


def test_tests_of_one_stack_share_a_worker_and_others_do_not() -> None:
    assert group_of("tests/browser/test_reader.py::a") == group_of("tests/browser/test_donor.py::b[x]")
    assert group_of("tests/hostile/test_canary_key.py::a") == group_of("tests/hostile/test_in_stack.py::b")
    assert group_of("tests/unit/rules/test_merkle.py::a") != group_of("tests/unit/rules/test_merkle.py::b")
