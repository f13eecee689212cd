"""Something the platform needs is away for a while: probes say so, the work waits, and nothing is lost or scored wrong."""

import asyncio
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.disturbance import require_nothing_changed, start_run
from tests.e2e.log_reading import entries_of, require_decision
from tests.e2e.running_stack import SMOKE, RunningStack, caught_up, dataset_of, ended, run_order
from tests.factories.memory_server import MemoryServer, memory_server

from aml.contracts.envelope import UnitFact
from aml.contracts.jobs import JobFailed
from aml.contracts.seals import JobResult, JobSealed
from aml.contracts.verdicts import AnswerScored
from aml.gateway.operations.bodies import RunDataset
from aml.rules.identity import subject_of
from aml.toolkit.platform import Platform

pytestmark = [pytest.mark.stack, pytest.mark.fault]

EVIDENCE_READERS = ("ingest", "retrieval", "judge")


async def test_a_participant_that_is_away_for_twenty_seconds_costs_no_question(
    stack: RunningStack, platform: Platform, server: MemoryServer, undisturbed: JobResult
) -> None:
    job_id = await start_run(platform, server)
    await server.reached(adds=40)

    await server.go_down()
    await asyncio.sleep(20.0)
    await server.come_up()

    await require_nothing_changed(stack, platform, job_id, server, undisturbed, within_seconds=120.0)
    assert server.adds.repeated, "no call was repeated, so no outage was met"


async def test_a_database_that_does_not_answer_is_named_and_loses_nothing(
    stack: RunningStack, platform: Platform, server: MemoryServer, undisturbed: JobResult
) -> None:
    job_id = await start_run(platform, server)
    await server.reached(searches=28)
    frozen = stack.family("postgres")

    for process in frozen:
        process.suspend()
    try:
        problems = {
            name: await stack.wait_for_readiness(name, 503, within_seconds=15.0) for name in ("ledger", "gateway")
        }
    finally:
        for process in frozen:
            process.resume()

    assert "database" in problems["ledger"]
    assert "database" in problems["gateway"]
    await require_nothing_changed(stack, platform, job_id, server, undisturbed)
    for name in ("ledger", "gateway"):
        assert await stack.wait_for_readiness(name, 200) == {}


@contextmanager
def full_disk(evidence: Path) -> Iterator[tuple[Callable[[], None], Callable[[], None]]]:
    """A small file system of its own in place of the evidence folder, and how to fill and to free it."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "none", str(evidence)], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    filler = evidence / "filler"

    def fill() -> None:
        with filler.open("wb", buffering=0) as file:
            while True:
                try:
                    file.write(bytes(65_536))
                except OSError:
                    return

    def free() -> None:
        filler.unlink(missing_ok=True)

    try:
        yield fill, free
    finally:
        subprocess.run(["umount", "--lazy", str(evidence)], check=True)


@contextmanager
def read_only_folders(evidence: Path) -> Iterator[tuple[Callable[[], None], Callable[[], None]]]:
    """The evidence folder and all below it can lose the right to be written."""
    if os.geteuid() == 0:
        pytest.skip("root writes into any folder; the full disk stands for this case")

    def change(mode: int) -> None:
        for folder, _, _ in os.walk(evidence):
            Path(folder).chmod(mode)

    try:
        yield lambda: change(0o500), lambda: change(0o700)
    finally:
        change(0o700)


@pytest.mark.parametrize("break_store", [full_disk, read_only_folders])
async def test_a_store_that_takes_nothing_is_named_and_loses_nothing(
    stack: RunningStack, platform: Platform, server: MemoryServer, undisturbed: JobResult, break_store: Any
) -> None:
    with break_store(stack.stack.layout.evidence) as (take_away, give_back):
        job_id = await start_run(platform, server)
        await server.reached(searches=28)

        take_away()
        try:
            problems = [await stack.wait_for_readiness(name, 503) for name in EVIDENCE_READERS]
            waiting = (await platform.job(job_id)).counts
        finally:
            give_back()

        assert all(set(each) == {"evidence"} for each in problems), problems
        assert waiting.unscored == 0
        await require_nothing_changed(stack, platform, job_id, server, undisturbed)
        for name in EVIDENCE_READERS:
            assert await stack.wait_for_readiness(name, 200) == {}


async def test_a_bundle_with_a_broken_record_fails_its_job_and_no_other(
    stack: RunningStack, platform: Platform, server: MemoryServer, undisturbed: JobResult
) -> None:
    datasets = stack.stack.layout.datasets
    lines = (datasets / SMOKE.sha256).read_bytes().splitlines(keepends=True)
    broken = json.loads(lines[2])
    del broken["questions"][1]["text"]
    content = b"".join([*lines[:2], json.dumps(broken, ensure_ascii=False).encode() + b"\n", *lines[3:]])
    sha256 = hashlib.sha256(content).hexdigest()
    (datasets / sha256).write_bytes(content)
    other = await start_run(platform, server)

    failed = await failure_of(stack, platform, server, dataset_of(SMOKE, sha256=sha256))

    assert (failed.stage, failed.reason) == ("ingest", "internal")
    assert failed.detail == f"{sha256}: record 2: questions[1].text: is missing", "not where the server keeps it"
    await require_nothing_changed(stack, platform, other, server, undisturbed)


async def test_a_bundle_with_other_bytes_than_pinned_fails_its_job(
    stack: RunningStack, platform: Platform, server: MemoryServer
) -> None:
    pinned = hashlib.sha256(b"pinned").hexdigest()
    path = stack.stack.layout.datasets / pinned
    path.write_bytes(b"something else")
    found = hashlib.sha256(b"something else").hexdigest()

    failed = await failure_of(stack, platform, server, dataset_of(SMOKE, sha256=pinned))

    assert failed.detail.startswith(f"{path.name}: sha256: is {found}, pinned is {pinned}")


async def failure_of(stack: RunningStack, platform: Platform, server: MemoryServer, dataset: RunDataset) -> JobFailed:
    job_id = (await platform.create_run(run_order(server, dataset=dataset))).job_id
    results = await ended(platform, job_id)
    assert results.gate == "refused"
    log = await stack.decided_log(job_id)
    require_decision(log, job_id)
    [failed] = [each.event for each in entries_of(log, job_id) if isinstance(each.event, JobFailed)]
    job = await caught_up(platform, job_id)
    assert job.state == "failed"
    assert job.failure is not None
    assert job.failure.detail == failed.detail
    return failed


async def test_a_participant_that_breaks_the_contract_has_unscored_questions_and_no_wrong_ones(
    stack: RunningStack, platform: Platform
) -> None:
    async with memory_server(wrong_echo=True) as server:
        failed = await failure_of(stack, platform, server, dataset_of(SMOKE))
        job_id = failed.job_id

    assert (failed.stage, failed.reason) == ("ingest", "contract")
    assert "request_id" in failed.detail
    [dataset] = (await platform.results(job_id)).result.datasets
    assert (dataset.all_questions.planned, dataset.all_questions.scored) == (SMOKE.questions, 0)
    assert (dataset.all_questions.unscored, dataset.all_questions.score) == (SMOKE.questions, None)
    assert [(one.reason, one.questions) for one in dataset.unscored] == [("contract", SMOKE.questions)]
    log = await stack.decided_log(job_id)
    assert not [each for each in entries_of(log, job_id) if isinstance(each.event, AnswerScored)]


async def test_a_broker_that_lost_its_disk_gets_the_stream_back_from_the_ledger(
    stack: RunningStack, platform: Platform, server: MemoryServer, undisturbed: JobResult
) -> None:
    """As after a power cut: the broker comes back empty, and the ledger has what was appended, of earlier jobs too."""
    job_id = await start_run(platform, server)
    await server.reached(searches=56)
    [broker] = stack.family("nats")

    broker.suspend()
    for each in stack.stack.layout.nats.iterdir():
        if each.is_dir():
            shutil.rmtree(each)
    broker.kill()

    await stack.came_back("nats", after=broker.pid)
    await require_nothing_changed(stack, platform, job_id, server, undisturbed)
    frame = [each.event for each in await stack.log() if not isinstance(each.event, UnitFact)]
    assert any(isinstance(each, JobSealed) and each.job_id != job_id for each in frame)
    bus = stack.bus("outage-test")
    await bus.connect()
    try:
        missing = [subject for subject in map(subject_of, frame) if await bus.last_event(subject) is None]
    finally:
        await bus.close()
    assert missing == []
