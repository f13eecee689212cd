"""One local stack for the session: a real broker, a real database and the six services, in a temporary home."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.e2e.running_stack import FULL, RunningStack, dataset_of, ended, run_order, what_counts
from tests.factories.memory_server import MemoryServer, memory_server

from aml.contracts.seals import JobResult
from aml.toolkit.local import LocalStack
from aml.toolkit.platform import Platform


@pytest.fixture(scope="session")
def stack() -> Iterator[RunningStack]:
    with tempfile.TemporaryDirectory(prefix="aml-e2e-") as folder:
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


@pytest.fixture
async def server() -> AsyncIterator[MemoryServer]:
    """A participant that answers at once; set its `delay_seconds` to make a run last."""
    async with memory_server() as server:
        yield server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def undisturbed(stack: RunningStack) -> JobResult:
    """What the practice suite gives with the keyword memory when nothing happens, latencies and retries left out."""
    async with stack.platform() as platform, memory_server() as server:
        job = await platform.create_run(run_order(server, dataset=dataset_of(FULL)))
        result = (await ended(platform, job.job_id)).result
    [dataset] = result.datasets
    assert dataset.all_questions.planned == dataset.all_questions.scored == FULL.questions
    assert 0 < dataset.all_questions.correct < FULL.questions, "a score that could not differ shows nothing"
    return what_counts(result)
