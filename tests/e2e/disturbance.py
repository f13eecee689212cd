"""What the fault and outage tests share: a run that lasts long enough to be disturbed, and what must come out of it."""

from tests.e2e.log_reading import require_whole_job
from tests.e2e.running_stack import FULL, RunningStack, caught_up, dataset_of, ended, run_order, what_counts
from tests.factories.memory_server import MemoryServer

from aml.contracts.seals import JobResult
from aml.toolkit.platform import Platform

DELAY_SECONDS = 0.12
"""Of a participant's call: 120 Adds four at a time and 140 Searches eight at a time then take about four seconds."""


async def start_run(platform: Platform, server: MemoryServer) -> str:
    """The id of a job over the whole practice suite."""
    server.delay_seconds = DELAY_SECONDS
    return (await platform.create_run(run_order(server, dataset=dataset_of(FULL)))).job_id


async def require_nothing_changed(
    stack: RunningStack,
    platform: Platform,
    job_id: str,
    server: MemoryServer,
    undisturbed: JobResult,
    *,
    within_seconds: float = 90.0,
) -> None:
    """Every unit has its one fact, in the log, in its result and in the gateway's counts; no repetition was altered."""
    results = await ended(platform, job_id, within_seconds=within_seconds)
    log = await stack.decided_log(job_id)
    decision = require_whole_job(log, job_id)
    assert what_counts(decision.result) == undisturbed
    assert results.result == decision.result
    counts = (await caught_up(platform, job_id)).counts
    total = undisturbed.datasets[0].all_questions
    found = (counts.planned, counts.scored, counts.correct, counts.incorrect, counts.unscored)
    assert found == (total.planned, total.scored, total.correct, total.incorrect, total.unscored)
    assert server.adds.altered == server.searches.altered == []
