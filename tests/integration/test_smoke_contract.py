"""A smoke job on a real broker: examined before it is planned, stopped with the line that says why."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec.structs import replace
from obstore.store import MemoryStore
from tests.factories.doctor_visits import KEY, serving
from tests.factories.events import RELEASE_ID, a_digest, an_event

from aml.contracts.doctor import ContractChecked, DoctorReport
from aml.contracts.events import Event
from aml.contracts.jobs import JobFailed, JobRequested
from aml.contracts.participant import ParticipantTarget
from aml.contracts.release import Release
from aml.examples.broken.faults import FAULTS
from aml.ingest.check_contract import ContractChecker
from aml.rules.identity import event_id, job_subject
from aml.runtime.bus import Bus
from aml.runtime.clock import SystemClock
from aml.runtime.evidence import EvidenceStore
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.participants import Participants
from aml.runtime.publish_once import publish_once
from aml.runtime.reactors import react
from aml.runtime.release_folder import find_release, load_release
from aml.runtime.secret import Secret
from aml.runtime.settings import NatsSettings
from aml.runtime.vault import Vault

PRACTICE = load_release(find_release("practice")).release
KEK = KeyEncryptionKey(bytes(32))


def release_of(_: str) -> tuple[Release, str]:
    return PRACTICE, a_digest("release")


class World:
    def __init__(self, bus: Bus) -> None:
        store = MemoryStore()
        self.bus = bus
        self.evidence = EvidenceStore(store, KEK)
        self.vault = Vault(store, KEK)
        self.ended: set[str] = set()
        self.participants = Participants(self.evidence, self.vault, release_of, allow_private=True)
        self.checker = ContractChecker(
            bus, self.evidence, SystemClock(), self.participants, self.ended.__contains__, budget_seconds=20
        )

    async def a_smoke(self, base: str, *, auth: bool = True) -> JobRequested:
        job_id = f"job-{uuid.uuid4().hex[:8]}"
        requested = an_event(
            JobRequested, job_id=job_id, mode="smoke", allow_private=True, release_id=RELEASE_ID, top_k=100
        )
        target = ParticipantTarget(
            add_url=f"{base}/add",
            search_url=f"{base}/search",
            health_url=f"{base}/health",
            auth="bearer" if auth else "none",
            secret_id=await self.vault.seal(Secret(KEY)) if auth else None,
        )
        ref = await self.evidence.put_json(job_id, event_id(requested), target)
        return replace(requested, target=ref)

    async def fact(self, requested: JobRequested, event_type: Any) -> Any:
        return await self.bus.last_event(job_subject(requested.job_id, event_type))

    async def report(self, checked: ContractChecked) -> DoctorReport:
        return await self.evidence.open_json(checked.job_id, event_id(checked), checked.report, DoctorReport)


@pytest.fixture
async def world(nats_url: str) -> AsyncIterator[World]:
    bus = Bus(NatsSettings(url=nats_url), name="test-doctor")
    await bus.connect()
    yield World(bus)
    await bus.close()


async def test_a_sound_participant_is_found_sound_and_its_job_goes_on(world: World) -> None:
    async with serving(FAULTS["none"](token=KEY).application()) as base:
        requested = await world.a_smoke(base)
        await world.checker.check(requested)

    checked = await world.fact(requested, ContractChecked)
    assert checked.passed
    assert {check.outcome for check in checked.checks} == {"passed", "skipped"}
    assert await world.fact(requested, JobFailed) is None
    report = await world.report(checked)
    assert [check.name for check in report.checks] == [check.name for check in checked.checks]


async def test_a_broken_contract_stops_the_job_with_the_first_failing_checks_line(world: World) -> None:
    async with serving(FAULTS["echo_lower_case"](token=KEY).application()) as base:
        requested = await world.a_smoke(base)
        await world.checker.check(requested)

    checked = await world.fact(requested, ContractChecked)
    assert not checked.passed
    assert [(check.name, check.code) for check in checked.checks if check.outcome == "failed"] == [("echo", "echo")]
    failed = await world.fact(requested, JobFailed)
    assert (failed.stage, failed.reason) == ("ingest", "contract")
    assert failed.detail.startswith("contract check echo (echo): ")
    assert KEY not in failed.detail


@pytest.mark.parametrize(
    ("fault", "reason"), [("refuses_the_key", "authentication"), ("over_top_k", "limit"), ("late_index", "contract")]
)
async def test_the_reason_is_the_failed_checks(world: World, fault: str, reason: str) -> None:
    async with serving(FAULTS[fault](token=KEY).application()) as base:
        requested = await world.a_smoke(base)
        await world.checker.check(requested)
    assert (await world.fact(requested, JobFailed)).reason == reason


async def test_nobody_at_the_address_is_a_transport_failure(world: World) -> None:
    requested = await world.a_smoke("http://127.0.0.1:9")
    await world.checker.check(requested)
    assert (await world.fact(requested, JobFailed)).reason == "transport"


async def test_a_key_that_is_gone_is_the_platforms_failure(world: World) -> None:
    requested = await world.a_smoke("http://127.0.0.1:9")
    world.participants.vault = Vault(MemoryStore(), KEK)
    await world.checker.check(requested)
    assert (await world.fact(requested, JobFailed)).reason == "internal"
    assert await world.fact(requested, ContractChecked) is None


async def test_warnings_stop_nothing(world: World) -> None:
    async with serving(FAULTS["worst_first"](token=KEY).application()) as base:
        requested = await world.a_smoke(base)
        await world.checker.check(requested)
    checked = await world.fact(requested, ContractChecked)
    assert checked.passed
    assert ("order", "warning") in {(check.name, check.outcome) for check in checked.checks}


async def test_a_redelivery_examines_nobody_again_and_states_the_failure_that_was_missing(world: World) -> None:
    async with serving(FAULTS["no_echo"](token=KEY).application()) as base:
        requested = await world.a_smoke(base)
        report = await world.checker._examine(requested)
        await publish_once(world.bus, await world.checker._checked(requested.job_id, report))
    # The server is gone now, and the process had died before it could say that the job failed.
    await world.checker.check(requested)

    failed = await world.fact(requested, JobFailed)
    assert failed.reason == "contract"
    assert "contract check add (schema)" in failed.detail


async def test_a_job_cancelled_meanwhile_gets_no_fact(world: World) -> None:
    async with serving(FAULTS["none"](token=KEY).application()) as base:
        requested = await world.a_smoke(base)
        world.ended.add(requested.job_id)
        await world.checker.check(requested)
    assert await world.fact(requested, ContractChecked) is None


async def test_a_slow_participant_holds_up_no_other(world: World) -> None:
    both_in, waiting = asyncio.Event(), 0

    async def check(event: Event) -> None:
        nonlocal waiting
        assert isinstance(event, JobRequested)
        if event.job_id not in mine:
            return
        waiting += 1
        if waiting == 2:
            both_in.set()
        await both_in.wait()

    async def give_up(*_: object) -> None:
        raise AssertionError("nothing failed")

    react(world.bus, JobRequested, durable=f"t-{uuid.uuid4().hex[:8]}", handle=check, give_up=give_up, at_once=4)
    requests = [await world.a_smoke("http://127.0.0.1:9") for _ in range(2)]
    mine = {requested.job_id for requested in requests}
    for requested in requests:
        await publish_once(world.bus, requested)
    await world.bus.broker.start()
    async with asyncio.timeout(10):
        await both_in.wait()
