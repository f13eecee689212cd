"""A suite with nothing running before: the stack is started for it, and nothing is left of it after."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from aml.toolkit import Suite, can_remember_sync
from aml.toolkit.local import LocalStack
from aml.toolkit.suite_run.platform_access import access_platform

pytestmark = pytest.mark.stack


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="aml-suite-") as folder:
        stack = LocalStack(Path(folder) / "home")
        try:
            yield stack.layout.home
        finally:
            stack.remove()


def test_a_stack_is_started_for_a_run_and_stopped_after_it(home: Path) -> None:
    result = Suite.QUICK.run_sync(lambda message: "I don't know.", home=home, limit=1)

    assert result.complete
    assert result.planned > 0
    assert LocalStack(home).info() is None


def test_a_stack_that_runs_is_used_and_left_running(home: Path) -> None:
    stack = LocalStack(home)
    stack.ensure_running()

    remembered = can_remember_sync(lambda message: "Python, as you said.", "My language is Python", home=home)

    assert remembered
    assert stack.info() is not None


async def test_a_stack_is_kept_on_demand_and_shared_by_those_who_use_it(home: Path) -> None:
    stack = LocalStack(home)
    async with access_platform(home) as mine, access_platform(home) as theirs:
        assert mine.url == theirs.url
    assert stack.info() is None

    async with access_platform(home, keep=True):
        pass
    assert await asyncio.to_thread(stack.info) is not None
