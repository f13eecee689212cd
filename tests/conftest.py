"""For all tests: property tests judge results, not speed; a busy machine must not fail one."""

from typing import Any

import pytest
from hypothesis import settings
from tests.stack_scheduling import StackScheduling

settings.register_profile("aml", deadline=None)
settings.load_profile("aml")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> StackScheduling:
    return StackScheduling(config, log)
