"""A local stack of its own for hostile participants, whose services log all that they can."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path

import pytest
import uvloop
from tests.e2e.running_stack import RunningStack

from aml.toolkit.local import LocalStack
from aml.toolkit.platform import Platform

ON_BOTH = ("test_connections", "test_misbehaviours")


def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """uvloop, which the services use, and asyncio's own."""
    own: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {"asyncio": asyncio.new_event_loop}
    return own | {"uvloop": uvloop.new_event_loop} if item.path.stem in ON_BOTH else own


@pytest.fixture(scope="session")
def stack() -> Iterator[RunningStack]:
    with tempfile.TemporaryDirectory(prefix="aml-hostile-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "AML_LOG_LEVEL", "debug")
        local = LocalStack(Path(folder) / "home")
        try:
            yield RunningStack(local, local.ensure_running())
        finally:
            local.remove()


@pytest.fixture
async def platform(stack: RunningStack) -> AsyncIterator[Platform]:
    """The gateway's API with the operator's key."""
    async with stack.platform() as platform:
        yield platform
