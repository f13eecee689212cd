"""A job from its first entry to its seal, its decision, or its being asked for again."""

import asyncio
import contextlib

import nats.js.errors
import pytest
from nats.js import api
from tests.factories.events import a_digest, an_event
from tests.factories.finished_jobs import a_job, a_release, a_release_locked
from tests.integration.ledger.running_ledger import has, running
from tests.integration.ledger.stored_log import eventually

from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.release import Calibration, Quotas, Release
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
from aml.contracts.units import AnswerGenerated, UnitRequeued
from aml.ledger import bootstrap
from aml.ledger.settings import AppendSettings, LedgerSettings
from aml.rules.checkpoint import open_checkpoint, parse_verifier_key
from aml.rules.entry import read_entry
from aml.rules.gate import GateBundle
from aml.rules.identity import STREAM, job_subject, subject_of
from aml.rules.verify import verify_claim, verify_entries, verify_entry
from aml.runtime.bus import Bus
from aml.runtime.publish_once import publish_once


async def test_a_job_is_appended_sealed_and_decided_and_an_outsider_can_check_it(
    bus: Bus, settings: LedgerSettings
) -> None:
    events = a_job("a", questions=5, mode="smoke")
    async with running(settings) as client:
        for event in events:
            await publish_once(bus, event)
        refused = await eventually(lambda: bus.last_event(job_subject("a", GateRefused)))
        assert isinstance(refused, GateRefused)
        assert "mode_not_full" in {check.code for check in refused.checks}
        assert refused.result.overall == 800_000

        await eventually(lambda: has(client, len(events) + 2))
        key = parse_verifier_key(await client.text("/log/verifier"))
        checkpoint = open_checkpoint(await client.text("/log/checkpoint"), key)
        entries = verify_entries(checkpoint, await client.lines("/log/entries?start=0&count=1000"))
        assert [type(each.event) for each in entries[-2:]] == [JobSealed, GateRefused]
        assert entries[-2].leaf == refused.seal

        proof = await client.json(f"/log/proof/{len(events)}")
        body = (await client.lines(f"/log/entries?start={len(events)}&count=1"))[0]
        assert proof["root"] == checkpoint.root.hex()
        verify_entry(checkpoint, body, [bytes.fromhex(each) for each in proof["proof"]])
        assert len(await client.lines("/log/jobs/a")) == len(events) + 2
        consistency = await client.json(f"/log/consistency?old=3&new={checkpoint.size}")
        assert consistency["proof"]
        asked = "&".join(f"event_id={each.event_id}" for each in entries[-2:])
        found = await client.json(f"/log/indices?{asked}&event_id={'0' * 8}-0000-0000-0000-{'0' * 12}&event_id=none")
        assert found == {"indices": {each.event_id: each.index for each in entries[-2:]}}


async def test_a_full_job_passes_once_for_its_version_and_the_claim_can_be_run_again(
    bus: Bus, settings: LedgerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    demand = Calibration(answers="answers-1", sha256=a_digest("answers"), threshold=900_000)
    release = a_release(questions=4, quotas=Quotas(full_interval_days=0), calibration=demand)
    locked, measured = a_release_locked(), an_event(JudgeCalibrated)

    class OneRelease:
        def __init__(self, _: object) -> None: ...

        def of(self, _: str) -> tuple[Release, str]:
            return release, locked.release_digest

    monkeypatch.setattr(bootstrap, "Releases", OneRelease)
    async with running(settings) as client:
        for event in [locked, measured, *a_job("a", questions=4), *a_job("b", questions=4)]:
            await publish_once(bus, event)
        passed = await eventually(lambda: bus.last_event(job_subject("a", GatePassed)))
        refused = await eventually(lambda: bus.last_event(job_subject("b", GateRefused)))
        lines = await client.lines("/log/jobs/a")
    assert [check.code for check in refused.checks if not check.passed] == ["already_passed"]
    # The factory's jobs do not share their units' names, as a platform's jobs on the same dataset do.
    assert {check.name: check.code for check in refused.checks}["duplicates"] == "ok"
    entries = [read_entry(line) for line in lines]
    to_seal = next(at for at, each in enumerate(entries) if isinstance(each.event, JobSealed)) + 1
    bundle = GateBundle(
        entries=tuple(entries[:to_seal]),
        release=release,
        locks=((0, locked),),
        earlier=(),
        calibrations=((1, measured),),
    )
    assert verify_claim(bundle, passed) == ()


async def test_a_stalled_job_is_asked_for_again(bus: Bus, settings: LedgerSettings) -> None:
    events = a_job("a", questions=2, mode="smoke")
    for event in events[:-1]:
        await publish_once(bus, event)
    patient = LedgerSettings(
        files=settings.files,
        signer=settings.signer,
        log_store=settings.log_store,
        http=settings.http,
        nats=settings.nats,
        database=settings.database,
        append=AppendSettings(stall_seconds=0.2),
    )
    unit = getattr(events[-1], "unit", "")
    async with running(patient):
        subject = job_subject("a", UnitRequeued, f"{unit}-scoring-stall-1")
        requeued = await eventually(lambda: bus.last_event(subject))
    assert isinstance(requeued, UnitRequeued)
    assert requeued.trigger == subject_of(events[-2])


async def test_a_job_under_way_is_not_stalled(bus: Bus, settings: LedgerSettings) -> None:
    events = a_job("a", questions=2, mode="smoke")
    lane = api.ConsumerConfig(
        durable_name="judge-test",
        filter_subjects=[job_subject("a", AnswerGenerated, "*"), job_subject("*", UnitRequeued, "*")],
    )
    subscription = await bus.js.pull_subscribe("", durable="judge-test", stream=STREAM, config=lane)
    for event in events[:-1]:
        await publish_once(bus, event)
    held = await subscription.fetch(1, timeout=5)
    impatient = LedgerSettings(
        files=settings.files,
        signer=settings.signer,
        log_store=settings.log_store,
        http=settings.http,
        nats=settings.nats,
        database=settings.database,
        append=AppendSettings(stall_seconds=0.2),
    )
    async with running(impatient):
        await asyncio.sleep(1.0)
        unit = getattr(events[-1], "unit", "")
        assert await bus.last_event(job_subject("a", UnitRequeued, f"{unit}-scoring-stall-1")) is None
        await held[0].term()
        with contextlib.suppress(nats.js.errors.NotFoundError):
            await bus.js.delete_consumer(STREAM, "judge-test")
