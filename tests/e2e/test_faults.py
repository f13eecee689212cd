"""Processes are killed or stopped in the middle of a run; its counts and scores come out as if nothing had happened."""

import asyncio
import json
import signal
import uuid
from typing import Any

import pytest
from tests.e2e.disturbance import require_nothing_changed, start_run
from tests.e2e.log_reading import entries_of, require_decision, require_whole_job
from tests.e2e.running_stack import FULL, RunningStack, caught_up, ended
from tests.factories.memory_server import MemoryServer

from aml.contracts.boards import BoardPublished
from aml.contracts.seals import GatePassed, JobResult
from aml.contracts.units import AnswerGenerated, QuestionOpened, SamplePlanned, SearchReturned, UnitRequeued
from aml.contracts.vocabulary import Stage
from aml.gateway.keys.bodies import KeyOrder
from aml.gateway.operations.bodies import RunOrder
from aml.rules.identity import STREAM, subject_of
from aml.runtime.publish_once import publish_once
from aml.toolkit.platform import Platform

pytestmark = [pytest.mark.stack, pytest.mark.fault]

CHUNKS = 120
WORKERS = ("ingest", "retrieval", "judge")


async def at_forty_percent(server: MemoryServer, name: str) -> None:
    if name == "ingest":
        await server.reached(adds=CHUNKS * 2 // 5)
    else:
        await server.reached(searches=FULL.questions * 2 // 5)


@pytest.mark.parametrize("name", [*WORKERS, "ledger", "gateway", "publisher", "nats", "postgres"])
async def test_a_killed_process_changes_no_count_and_no_score(
    stack: RunningStack, platform: Platform, server: MemoryServer, undisturbed: JobResult, name: str
) -> None:
    job_id = await start_run(platform, server)
    await at_forty_percent(server, name)

    killed = stack.send(name, signal.SIGKILL)

    await stack.came_back(name, after=killed)
    await require_nothing_changed(stack, platform, job_id, server, undisturbed)


async def test_ingest_killed_while_it_plans_plans_again(
    stack: RunningStack, platform: Platform, server: MemoryServer, undisturbed: JobResult
) -> None:
    job_id = await start_run(platform, server)

    killed = stack.send("ingest", signal.SIGKILL)

    await stack.came_back("ingest", after=killed)
    await require_nothing_changed(stack, platform, job_id, server, undisturbed, within_seconds=40.0)


async def test_workers_asked_to_stop_repeat_no_call(
    stack: RunningStack, platform: Platform, server: MemoryServer, undisturbed: JobResult
) -> None:
    job_id = await start_run(platform, server)
    await at_forty_percent(server, "ingest")

    stopped = {name: stack.send(name, signal.SIGTERM) for name in WORKERS}

    for name, pid in stopped.items():
        await stack.came_back(name, after=pid)
    await require_nothing_changed(stack, platform, job_id, server, undisturbed)
    assert server.adds.repeated == server.searches.repeated == {}


async def test_triggers_that_come_again_change_nothing(
    stack: RunningStack, platform: Platform, server: MemoryServer, undisturbed: JobResult
) -> None:
    """Each stage is handed what it already did: by requeues, and by consumers that start again from the first message."""
    job_id = await start_run(platform, server)
    await at_forty_percent(server, "judge")
    log = await stack.log()
    stages: dict[type[Any], Stage] = {
        SamplePlanned: "ingest",
        QuestionOpened: "retrieval",
        SearchReturned: "answer",
        AnswerGenerated: "scoring",
    }
    done = [each.event for each in entries_of(log, job_id) if type(each.event) in stages]
    assert done
    bus = stack.bus("fault-test")
    await bus.connect()
    try:
        # Newest first: what depends on an event comes before it.
        for event in reversed(done):
            await publish_once(bus, requeue_of(event, stages[type(event)]))
        durables = {each.name for each in await bus.js.consumers_info(STREAM) if each.config.durable_name}
        assert {f"retrieval-{job_id}", "judge-answer", "judge-score"} <= durables
        for durable in durables:
            await bus.js.delete_consumer(STREAM, durable)
        await require_nothing_changed(stack, platform, job_id, server, undisturbed)
        next_job = await start_run(platform, server)
        await require_nothing_changed(stack, platform, next_job, server, undisturbed, within_seconds=30.0)
        assert server.adds.repeated or server.searches.repeated, "nothing was delivered twice, so nothing was shown"
    finally:
        await bus.close()


def requeue_of(event: Any, stage: Stage) -> UnitRequeued:
    return UnitRequeued(
        at=event.at,
        job_id=event.job_id,
        unit=f"{event.unit}-{stage}-99",
        stage=stage,
        requeue=0,
        trigger=subject_of(event),
        reason="internal",
        detail="handed out again by a test",
        not_before=0,
        attempt_log=None,
    )


async def test_a_publisher_killed_at_any_moment_publishes_the_same_board(
    stack: RunningStack, platform: Platform
) -> None:
    order = RunOrder(
        system=f"arm-{uuid.uuid4().hex[:8]}", arm="oracle", mode="full", release_id="practice", run_label="fault"
    )
    job_id = (await platform.create_run(order)).job_id
    assert (await ended(platform, job_id)).gate == "passed"
    await caught_up(platform, job_id)
    log = await stack.decided_log(job_id)
    decision = require_whole_job(log, job_id)
    assert isinstance(decision, GatePassed)
    reviewer = platform.as_caller((await platform.create_key(KeyOrder(role="reviewer", label="fault"))).key)
    await reviewer.review(job_id, "approve", "undisturbed")
    undisturbed = await row_when(platform, job_id, present=True)
    await reviewer.review(job_id, "withdraw", "to publish it again")
    await row_when(platform, job_id, present=False)

    await reviewer.review(job_id, "approve", "disturbed")
    for delay_seconds in (0.0, 0.02, 0.05):
        await asyncio.sleep(delay_seconds)
        killed = stack.send("publisher", signal.SIGKILL)
        await stack.came_back("publisher", after=killed)

    assert await row_when(platform, job_id, present=True) == undisturbed
    log = await stack.log()
    require_decision(log, job_id)
    published = [each.event for each in log if isinstance(each.event, BoardPublished)]
    assert [each.version for each in published] == list(range(1, len(published) + 1))


async def row_when(platform: Platform, job_id: str, *, present: bool) -> Any:
    """The job's row once it is on the board (or None once it is not), without what names the publication's moment."""
    async with asyncio.timeout(20.0):
        while True:
            board = await platform.board_file("board.json")
            rows = _rows(json.loads(board)) if board else []
            mine = [row for row in rows if row["job_id"] == job_id]
            if bool(mine) == present:
                break
            await asyncio.sleep(0.05)
    if not present:
        return None
    [row] = mine
    assert row["overall"] is not None
    return {name: value for name, value in row.items() if name not in ("log", "approved_at")}


def _rows(value: Any) -> list[dict[str, Any]]:
    """Rows wherever they stand: the site's `board.json` may hold one board or several."""
    if isinstance(value, dict):
        if isinstance(value.get("rows"), list):
            return [row for row in value["rows"] if isinstance(row, dict)]
        return [row for each in value.values() for row in _rows(each)]
    return [row for each in value for row in _rows(each)] if isinstance(value, list) else []
