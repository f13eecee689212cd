"""A whole job against a hostile participant, and an honest job beside it: nothing is lost, nothing is counted twice."""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
from tests.e2e.log_reading import entries_of, read_log, require_decision, require_whole_job, units_of
from tests.e2e.running_stack import SMOKE, RunningStack, dataset_of, ended, run_order
from tests.factories.memory_server import MemoryServer, memory_server
from tests.hostile.hostile_server import Exchange, HostileServer, Speak, echoes, hostile, message, pours, says
from tests.hostile.kept_attempts import attempts_of
from tests.hostile.misbehaviours import CHUNKED, OK

from aml.contracts.jobs import JobFailed, JobPlanned
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
from aml.contracts.units import ChunkAdded, SearchReturned, UnitRequeued
from aml.contracts.vocabulary import Stage
from aml.gateway.access.bodies import Endpoints
from aml.gateway.operations.bodies import RunOrder
from aml.rules.entry import ReadEntry
from aml.toolkit.platform import Platform

pytestmark = [pytest.mark.stack]

ADDS = echoes()


def by_call(*, add: Speak = ADDS, search: Speak | None = None) -> Speak:
    answers = {"/add": add, "/search": search or says(OK)}

    async def speak(exchange: Exchange) -> bool | None:
        return await answers[exchange.path](exchange)

    return speak


def order_to(server: HostileServer, **changes: Any) -> RunOrder:
    endpoints = Endpoints(
        add_url=f"{server.base}/add",
        search_url=f"{server.base}/search",
        add_status_url=changes.pop("add_status_url", None),
    )
    return run_order(MemoryServer(), dataset=dataset_of(SMOKE), endpoints=endpoints, **changes)


async def both(stack: RunningStack, platform: Platform, order: RunOrder) -> tuple[list[ReadEntry], str]:
    """The log once both jobs have ended, and the hostile one's id. The honest one is whole, whatever the other did."""
    async with memory_server(delay_seconds=0.02) as honest:
        jobs = [
            (await platform.create_run(each)).job_id for each in (order, run_order(honest, dataset=dataset_of(SMOKE)))
        ]
        _, result = await asyncio.gather(*(ended(platform, job_id) for job_id in jobs))
        assert honest.adds.repeated == honest.searches.repeated == {}
    log = await decided(stack, jobs)
    require_whole_job(log, jobs[1])
    [dataset] = result.result.datasets
    assert dataset.all_questions.scored == SMOKE.questions
    return log, jobs[0]


async def decided(stack: RunningStack, jobs: list[str]) -> list[ReadEntry]:
    """The log, once a signed checkpoint holds the decisions on these jobs: the gateway may hear of them earlier."""
    async with asyncio.timeout(20):
        while True:
            try:
                log = await read_log(stack.address("ledger"), stack.stack.layout.verifier_file)
            except httpx.HTTPStatusError as error:
                assert error.response.status_code == 404, "no checkpoint is published yet"  # noqa: PT017
                log = []
            known = {each.event.job_id for each in log if isinstance(each.event, GatePassed | GateRefused)}
            if known.issuperset(jobs):
                return log
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("speak", "stage", "reason", "says_so"),
    [
        (by_call(add=echoes(request_id=str.upper)), "ingest", "contract", "$.request_id"),
        (by_call(add=says(b"{}", status="401 Unauthorized")), "ingest", "authentication", "401"),
        (by_call(search=says(b'{"data":[],"data":[]}')), "retrieval", "contract", "twice"),
        (by_call(search=pours(CHUNKED, b"4000\r\n" + b" " * 0x4000 + b"\r\n")), "retrieval", "limit", "larger than"),
    ],
    ids=["wrong echo", "key refused", "a key twice", "endless body"],
)
async def test_a_contract_fault_stops_its_job_at_once_and_no_other(
    stack: RunningStack, platform: Platform, speak: Speak, stage: Stage, reason: str, says_so: str
) -> None:
    async with hostile(speak) as server:
        log, job_id = await both(stack, platform, order_to(server))

    decision = require_decision(log, job_id)
    entries = entries_of(log, job_id)
    [failed] = [each.event for each in entries if isinstance(each.event, JobFailed)]
    [sealed] = [each.event for each in entries if isinstance(each.event, JobSealed)]
    assert (failed.stage, failed.reason, sealed.state) == (stage, reason, "failed")
    assert says_so in failed.detail
    attempts = await attempts_of(stack, failed)
    assert len(attempts.attempts) == 1
    assert attempts.attempts[0].layer is not None
    [dataset] = decision.result.datasets
    assert dataset.all_questions.planned == SMOKE.questions
    assert dataset.all_questions.scored + dataset.all_questions.unscored == SMOKE.questions
    assert sum(each.questions for each in dataset.unscored) == dataset.all_questions.unscored
    assert {each.reason for each in dataset.unscored} <= {reason}


FAULTS: tuple[Callable[[Exchange], Any], ...] = (
    says(b"", status="429 Slow", headers="Retry-After: 0\r\n"),
    says(b"", status="503 Busy"),
    lambda exchange: _reset(exchange),
    lambda exchange: exchange.write(message(b"{", length=50)),
    says(b"", status="500 Oops", headers="Retry-After: soon\r\n"),
)


async def _reset(exchange: Exchange) -> None:
    exchange.reset()


async def test_faults_that_pass_cost_no_question_and_are_kept_as_evidence(
    stack: RunningStack, platform: Platform
) -> None:
    seen: dict[bytes, int] = defaultdict(int)

    async def unreliable(exchange: Exchange) -> bool | None:
        seen[exchange.body] += 1
        if seen[exchange.body] == 1:
            outcome: bool | None = await FAULTS[len(seen) % len(FAULTS)](exchange)
            return outcome
        return await by_call()(exchange)

    async with hostile(unreliable) as server:
        log, job_id = await both(stack, platform, order_to(server))
        bodies = Counter(server.bodies)

    require_whole_job(log, job_id)
    entries = entries_of(log, job_id)
    [plan] = [each.event for each in entries if isinstance(each.event, JobPlanned)]
    assert set(bodies.values()) == {2}, "each call was repeated once, and byte for byte"
    assert len(bodies) == plan.chunks + plan.questions
    for kind, planned in ((ChunkAdded, plan.chunks), (SearchReturned, plan.questions)):
        facts = [each.event for each in entries if isinstance(each.event, kind)]
        assert len(facts) == planned
        for fact in facts:
            kept = (await attempts_of(stack, fact)).attempts
            assert [each.number for each in kept] == [1, 2]
            assert (kept[0].layer in ("http", "transport"), kept[1].layer, kept[1].status) == (True, None, 200)
            assert kept[1].started_ms >= kept[0].started_ms
            assert fact.attempts == 2
            assert fact.received == kept[1].bytes_read > 0
    assert not units_of(entries, UnitRequeued)


async def test_adds_that_are_accepted_first_and_done_later(stack: RunningStack, platform: Platform) -> None:
    tasks: dict[str, dict[str, Any]] = {}
    polls: Counter[str] = Counter()

    async def accepting(exchange: Exchange) -> bool:
        if exchange.path == "/add":
            task_id = f"task {len(tasks)}/é"
            tasks[task_id] = exchange.sent
            await exchange.write(message(json.dumps({"task_id": task_id}).encode(), status="202 Accepted"))
        elif exchange.path == "/search":
            await exchange.write(message(OK))
        else:
            task_id = unquote(exchange.path.removeprefix("/tasks/"))
            polls[task_id] += 1
            sent = tasks[task_id]
            value = {"status": "running"}
            if polls[task_id] > 1:
                value = {"status": "done", "success": True, "task_id": task_id}
                value |= {name: sent[name] for name in ("request_id", "user_id", "session_id")}
            await exchange.write(message(json.dumps(value).encode()))
        return True

    async with hostile(accepting) as server:
        log, job_id = await both(stack, platform, order_to(server, add_status_url=f"{server.base}/tasks/{{task_id}}"))

    require_whole_job(log, job_id)
    added = [each.event for each in entries_of(log, job_id) if isinstance(each.event, ChunkAdded)]
    assert len(added) == len(tasks) == len(polls)
    assert {each.attempts for each in added} == {1}
    assert set(polls.values()) == {2}
    assert [each.poll for each in (await attempts_of(stack, added[0])).attempts] == [False, True, True]
    assert min(each.latency for each in added) > 250_000, "from the Add to the answer that it is done"
