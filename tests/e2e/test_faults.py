"""Processes are killed in the middle of a run; its counts and scores must come out as if nothing had happened."""

import asyncio
import signal

import pytest
import pytest_asyncio

from aml.contracts.seals import JobResult
from aml.toolkit.platform_client import Platform
from tests.e2e.log_reading import read_log, require_whole_job
from tests.e2e.running_stack import FULL, RunningStack, caught_up, dataset_of, ended, run_order, what_counts
from tests.factories.memory_server import MemoryServer, memory_server

pytestmark = [pytest.mark.stack, pytest.mark.fault]

DELAY_SECONDS = 0.15


async def disturbed_run(platform: Platform, server: MemoryServer) -> str:
    server.delay_seconds = DELAY_SECONDS
    return (await platform.create_run(run_order(server, dataset=dataset_of(FULL)))).job_id


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def undisturbed(stack: RunningStack) -> JobResult:
    async with stack.platform() as platform, memory_server() as server:
        job = await platform.create_run(run_order(server, dataset=dataset_of(FULL)))
        result = (await ended(platform, job.job_id)).result
    [dataset] = result.datasets
    assert dataset.all_questions.planned == dataset.all_questions.scored == FULL.questions
    assert 0 < dataset.all_questions.correct < FULL.questions, "a score that could not be wrong shows nothing"
    return what_counts(result)


async def require_nothing_changed(
    stack: RunningStack, platform: Platform, job_id: str, server: MemoryServer, undisturbed: JobResult
) -> None:
    results = await ended(platform, job_id)
    log = await read_log(stack.address("ledger"), stack.stack.layout.verifier_file)
    decision = require_whole_job(log, job_id)
    assert what_counts(decision.result) == undisturbed
    assert results.result == decision.result
    counts = (await caught_up(platform, job_id)).counts
    total = undisturbed.datasets[0].all_questions
    assert (counts.planned, counts.scored, counts.correct, counts.incorrect, counts.unscored) == (
        total.planned,
        total.scored,
        total.correct,
        total.incorrect,
        total.unscored,
    )
    assert server.adds.altered == server.searches.altered == []


@pytest.mark.parametrize(
    "name", ["ingest", "retrieval", "judge", "ledger", "gateway", "publisher", "nats", "postgres"]
)
async def test_a_killed_process_changes_no_count_and_no_score(
    stack: RunningStack, platform: Platform, server: MemoryServer, undisturbed: JobResult, name: str
) -> None:
    job_id = await disturbed_run(platform, server)
    await (server.reached(adds=30) if name == "ingest" else server.reached(searches=56))

    killed = stack.send(name, signal.SIGKILL)

    await stack.came_back(name, after=killed)
    await require_nothing_changed(stack, platform, job_id, server, undisturbed)
