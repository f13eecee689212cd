"""What we expect of our agent's memory. `pytest` starts a local stack, runs each suite once, and stops the stack again."""

import pytest
from diary.agent import NOTHING

from aml.toolkit import can_remember_sync


@pytest.mark.memory_suite("quick", limit=4)
def test_it_keeps_what_it_was_told(aml_suite_result):
    aml_suite_result.should.be_complete().have_retention_above(20, because="it is sold as a diary")


@pytest.mark.memory_suite("quick", limit=4)
def test_it_is_quick(aml_suite_result):
    aml_suite_result.should.have_answered_within(seconds=2)


def test_it_remembers_one_fact(memory_agent, aml_stack):
    assert can_remember_sync(memory_agent, "My locker is number 4417.", stack=aml_stack)


def test_it_says_that_it_does_not_know(memory_agent):
    assert memory_agent.ask("Which colour is my kayak?") == NOTHING
