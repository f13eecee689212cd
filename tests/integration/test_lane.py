"""Lanes on a real broker: once only, redelivery, requeues, parking, an orderly end."""

import asyncio
import uuid

import pytest
from prometheus_client import REGISTRY

from aml.contracts.units import QuestionOpened, SampleIngested, UnitParked, UnitRequeued
from aml.contracts.verdicts import UnitUnscored
from aml.rules.identity import STREAM, job_subject, subject_of
from aml.runtime.bus import Bus
from aml.runtime.clock import SystemClock
from aml.runtime.evidence import EvidenceUnavailable
from aml.runtime.lane import DeliverLater, Lane
from aml.runtime.publish_once import ConflictingFact, Published, publish_all, publish_once
from aml.runtime.settings import NatsSettings

CLOCK = SystemClock()


@pytest.fixture
async def bus(nats_url):
    bus = Bus(NatsSettings(url=nats_url), name="test")
    await bus.connect()
    yield bus
    await bus.close()


@pytest.fixture
def job_id():
    return f"job-{uuid.uuid4().hex[:8]}"


def opened(job_id, index=0, **changes):
    fields = {"at": 1, "job_id": job_id, "unit": f"u{index}", "sample": "s", "index": index, "dataset": "d"}
    return QuestionOpened(**(fields | changes))


def ingested(event):
    return SampleIngested(at=CLOCK.now_ms(), job_id=event.job_id, unit=event.unit, chunks=1)


async def run_lane(bus, job_id, handle, until, *, concurrency=4, seconds=10.0):
    stop = asyncio.Event()
    lane = Lane(
        bus,
        CLOCK,
        durable=f"t-{job_id}",
        stage="retrieval",
        triggers=(QuestionOpened,),
        job_id=job_id,
        concurrency=concurrency,
        handle=handle,
    )
    running = asyncio.create_task(lane.run(stop, grace_seconds=1.0))
    try:
        async with asyncio.timeout(seconds):
            while not await until():
                await asyncio.sleep(0.02)
    finally:
        stop.set()
        await running


async def test_every_unit_is_worked_on_once_and_within_the_concurrency(bus, job_id):
    for index in range(40):
        await publish_once(bus, opened(job_id, index))
    now, peak, done = 0, 0, []

    async def handle(event, _):
        nonlocal now, peak
        now += 1
        peak = max(peak, now)
        await asyncio.sleep(0.005)
        await publish_once(bus, ingested(event))
        done.append(event.unit)
        now -= 1

    async def all_done():
        return len(done) == 40

    await run_lane(bus, job_id, handle, all_done, concurrency=4)

    assert sorted(done) == sorted(f"u{index}" for index in range(40))
    assert 1 < peak <= 4


async def test_the_broker_holds_the_concurrency_over_replicas(bus, job_id):
    for index in range(30):
        await publish_once(bus, opened(job_id, index))
    now, peak, done = 0, 0, []

    async def handle(event, _):
        nonlocal now, peak
        now += 1
        peak = max(peak, now)
        await asyncio.sleep(0.005)
        done.append(event.unit)
        now -= 1

    async def all_done():
        return len(done) == 30

    await asyncio.gather(*(run_lane(bus, job_id, handle, all_done, concurrency=3) for _ in range(3)))

    assert len(done) == 30
    assert peak <= 3


async def test_an_unavailable_store_means_again_later_not_parked(bus, job_id):
    await publish_once(bus, opened(job_id))
    tries = []

    async def handle(event, delivery):
        tries.append(delivery.redelivered)
        if len(tries) < 2:
            raise EvidenceUnavailable("evidence/x", "No space left on device")
        await publish_once(bus, ingested(event))

    async def stored():
        return await bus.last_event(job_subject(job_id, SampleIngested, "u0")) is not None

    await run_lane(bus, job_id, handle, stored)

    assert tries == [False, True]
    assert await bus.last_event(job_subject(job_id, UnitParked, "u0-retrieval-1")) is None


async def test_an_unforeseen_failure_parks_the_unit_and_the_others_flow_on(bus, job_id):
    for index in range(3):
        await publish_once(bus, opened(job_id, index))
    done = []

    async def handle(event, _):
        if event.index == 1:
            raise KeyError("no such thing")
        done.append(event.unit)

    async def both_done():
        parked = await bus.last_event(job_subject(job_id, UnitParked, "u1-retrieval-1"))
        return len(done) == 2 and parked is not None

    await run_lane(bus, job_id, handle, both_done)

    parked = await bus.last_event(job_subject(job_id, UnitParked, "u1-retrieval-1"))
    assert parked.error == "KeyError: 'no such thing'"
    assert parked.trigger == subject_of(opened(job_id, 1))


async def test_a_requeue_is_worked_on_when_it_is_due_and_says_how_often(bus, job_id):
    await publish_once(bus, opened(job_id))
    deliveries = []

    async def handle(_, delivery):
        deliveries.append((CLOCK.now_ms(), delivery))

    async def first():
        return len(deliveries) >= 1

    await run_lane(bus, job_id, handle, first)
    due = CLOCK.now_ms() + 600
    requeued = UnitRequeued(
        at=1,
        job_id=job_id,
        unit="u0-retrieval-2",
        stage="retrieval",
        requeue=2,
        trigger=subject_of(opened(job_id)),
        reason="transport",
        detail="",
        not_before=due,
        attempt_log=None,
    )
    other_stage = UnitRequeued(
        at=1,
        job_id=job_id,
        unit="u0-scoring-1",
        stage="scoring",
        requeue=1,
        trigger=subject_of(opened(job_id)),
        reason="judge",
        detail="",
        not_before=0,
        attempt_log=None,
    )
    await publish_once(bus, other_stage)
    await publish_once(bus, requeued)

    async def second():
        return len(deliveries) >= 2

    await run_lane(bus, job_id, handle, second)

    at, delivery = deliveries[1]
    assert len(deliveries) == 2
    assert at >= due
    assert (delivery.requeue, delivery.redelivered) == (2, True)


async def test_what_is_in_flight_when_the_process_ends_is_handed_back(bus, job_id):
    await publish_once(bus, opened(job_id))
    started = asyncio.Event()

    async def hang(*_):
        started.set()
        await asyncio.sleep(60)

    async def is_started():
        return started.is_set()

    await run_lane(bus, job_id, hang, is_started)
    redelivered = []

    async def handle(_, delivery):
        redelivered.append(delivery.redelivered)

    async def done():
        return bool(redelivered)

    await run_lane(bus, job_id, handle, done, seconds=5.0)
    assert redelivered == [True]


async def test_a_fact_stands_once(bus, job_id):
    assert await publish_once(bus, opened(job_id)) is Published.NEW
    assert await publish_once(bus, opened(job_id, at=99)) is Published.ALREADY


async def test_the_same_unit_about_something_else_is_a_conflict(bus, job_id):
    await publish_once(bus, opened(job_id))

    with pytest.raises(ConflictingFact):
        await publish_once(bus, opened(job_id, sample="another"))


async def test_a_question_ends_once_whichever_way_it_ends_first(bus, job_id):
    from tests.factories.events import an_event

    from aml.contracts.verdicts import AnswerScored

    scored = an_event(AnswerScored, job_id=job_id, unit="u0", sample="s", index=0, dataset="d")
    unscored = UnitUnscored(
        at=1,
        job_id=job_id,
        unit="u0",
        sample="s",
        index=0,
        dataset="d",
        category="c",
        stage="retrieval",
        reason="transport",
        detail="",
        attempts=6,
        attempt_log=None,
    )

    assert await publish_once(bus, unscored) is Published.NEW
    assert await publish_once(bus, scored) is Published.ALREADY
    assert type(await bus.last_event(subject_of(scored))) is UnitUnscored


async def test_a_consumer_deleted_under_a_lane_is_made_again(bus, job_id):
    from aml.runtime.pull import delete_consumer

    await publish_once(bus, opened(job_id, 0))
    done = []

    async def handle(event, _):
        done.append(event.unit)

    async def second_came():
        if len(done) == 1 and not deleted:
            deleted.append(True)
            await delete_consumer(bus, f"t-{job_id}")
            await publish_once(bus, opened(job_id, 1))
        return "u1" in done

    deleted = []
    await run_lane(bus, job_id, handle, second_came, seconds=8.0)


async def test_long_calls_leave_the_other_slots_to_short_ones(bus, job_id):
    """One free slot of eight is less than is asked for at a time, and is used all the same."""
    for index in range(40):
        await publish_once(bus, opened(job_id, index))
    done, over = [], asyncio.Event()

    async def handle(event, _):
        if event.index < 7:
            await over.wait()
        done.append(event.unit)

    async def all_but_the_long_ones():
        if len(done) == 33:
            over.set()
        return over.is_set()

    await run_lane(bus, job_id, handle, all_but_the_long_ones, concurrency=8)

    assert sorted(done) == sorted(f"u{index}" for index in range(40))


@pytest.mark.parametrize("concurrency", [1, 8])
async def test_a_lane_that_ended_owes_the_broker_no_acknowledgement(bus, job_id, concurrency):
    for index in range(9):
        await publish_once(bus, opened(job_id, index))
    done = []

    async def handle(event, _):
        done.append(event.unit)

    async def all_done():
        return len(done) == 9

    await run_lane(bus, job_id, handle, all_done, concurrency=concurrency)

    await bus.client.flush()
    told = await bus.js.consumer_info(STREAM, f"t-{job_id}")
    assert (told.num_ack_pending, told.num_redelivered, told.num_pending) == (0, 0, 0)


def in_flight():
    return REGISTRY.get_sample_value("aml_lane_in_flight", {"stage": "retrieval"})


async def test_who_failed_at_one_unit_works_on_the_next(bus, job_id):
    """With one slot there is one worker, and each way in which a unit can end leaves it alive."""
    await publish_all(bus, [opened(job_id, index) for index in range(4)])
    tried, done = [], []

    async def handle(event, _):
        tried.append(event.unit)
        if tried.count(event.unit) == 1:
            if event.index == 0:
                raise KeyError("parked")
            if event.index == 1:
                raise DeliverLater(0.1)
            if event.index == 2:
                raise EvidenceUnavailable("evidence/x", "away")
        done.append(event.unit)

    async def all_done():
        return len(done) == 3

    await run_lane(bus, job_id, handle, all_done, concurrency=1)

    assert sorted(done) == ["u1", "u2", "u3"]
    assert in_flight() == 0


async def test_what_finishes_within_the_grace_is_acknowledged_and_what_does_not_is_handed_back(bus, job_id):
    await publish_all(bus, [opened(job_id, index) for index in range(3)])
    started, done, over = [], [], asyncio.Event()

    async def handle(event, _):
        started.append(event.unit)
        if event.index == 0:
            done.append(event.unit)
            return
        await (asyncio.sleep(0.3) if event.index == 1 else over.wait())
        done.append(event.unit)

    async def all_started():
        return len(started) == 3 and len(done) == 1

    await run_lane(bus, job_id, handle, all_started)

    assert done == ["u0", "u1"]
    assert in_flight() == 0
    over.set()

    async def handed_back():
        return "u2" in done

    await run_lane(bus, job_id, handle, handed_back, seconds=5.0)
    assert started == ["u0", "u1", "u2", "u2"]


async def test_many_facts_stand_once_each_in_their_order(bus, job_id):
    facts = [opened(job_id, index) for index in range(150)]
    await publish_once(bus, facts[70])
    await publish_all(bus, facts)
    await publish_all(bus, facts)

    for index in (0, 63, 64, 70, 149):
        assert await bus.last_event(subject_of(facts[index])) == facts[index]
    with pytest.raises(ConflictingFact):
        await publish_all(bus, [facts[0], opened(job_id, 1, sample="another")])
