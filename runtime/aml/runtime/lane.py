"""A lane: one stage's unit work. One message is one unit; it is acknowledged only after its effect is stored.

What a handler raises is mapped here and nowhere else: the broker or a store is away → deliver again later; anything
unforeseen → the unit is parked with its reason, its job cannot finish until an operator replays it, and others flow on.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

import msgspec
import structlog
from nats.aio.msg import Msg

from aml.contracts.envelope import UnitFact
from aml.contracts.events import Event, decode_event
from aml.contracts.units import UnitParked, UnitRequeued
from aml.contracts.vocabulary import Stage
from aml.rules.identity import job_subject, subject_of

from .acks import Acks
from .bus import TRANSIENT_BUS_ERRORS, Bus, delivery_count
from .clock import Clock
from .evidence import EvidenceUnavailable
from .metrics import LANE_IN_FLIGHT, LANE_OUTCOMES
from .publish_once import publish_once
from .pull import ACK_WAIT_SECONDS, PullConsumer

log = structlog.get_logger()

E = TypeVar("E", bound=UnitFact)

HEARTBEAT_SECONDS = ACK_WAIT_SECONDS / 3
RETRY_DELAY_SECONDS = (0.5, 1.0, 2.0, 5.0, 10.0)


class Delivery(msgspec.Struct, frozen=True):
    """How a unit came to be worked on."""

    subject: str
    """Of the trigger event, whether it came itself or by way of a requeue."""
    redelivered: bool = False
    """An earlier delivery may have had an effect: look before repeating it."""
    requeue: int = 0
    """How often the unit was requeued so far."""


class DeliverLater(Exception):
    """The message is not due or what it needs is not known here yet: deliver it again after `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"deliver again in {seconds} s")
        self.seconds = seconds


class Lane(Generic[E]):
    """Pulls `trigger` events (of one job, or of all with `job_id="*"`) and the requeues of this stage."""

    def __init__(
        self,
        bus: Bus,
        clock: Clock,
        *,
        durable: str,
        stage: Stage,
        triggers: Sequence[type[E]],
        job_id: str,
        concurrency: int,
        handle: Callable[[E, Delivery], Awaitable[None]],
    ) -> None:
        self._bus = bus
        self._clock = clock
        self._stage = stage
        self._triggers = tuple(triggers)
        self._in_flight_gauge = LANE_IN_FLIGHT.labels(stage)
        self._done_counter = LANE_OUTCOMES.labels(stage, "done")
        self._handle = handle
        self._in_flight: dict[str, Msg] = {}  # by reply subject: a `Msg` has no hash
        self._workers: set[asyncio.Task[None]] = set()
        self._idle: list[asyncio.Future[Msg]] = []
        """Of each worker that has nothing to do: what wakes it."""
        self._ending = False
        subjects = [job_subject(job_id, trigger, "*") for trigger in triggers]
        self._acks = Acks(bus, group=max(1, concurrency // 4))
        self._consumer = PullConsumer(
            bus,
            durable=durable,
            filter_subjects=[*subjects, job_subject(job_id, UnitRequeued, "*")],
            slots=concurrency,
            max_ack_pending=concurrency,
            on_message=self._start,
        )

    async def run(self, stop: asyncio.Event, *, grace_seconds: float = 10.0) -> None:
        """Until `stop`; then lets what is in flight finish for `grace_seconds` and hands the rest back."""
        self._ending = False
        beating = asyncio.create_task(self._beat())
        try:
            await self._consumer.consume(stop)
            await self._end_workers(grace_seconds)
            await self._acks.send()
        finally:
            beating.cancel()

    async def _end_workers(self, grace_seconds: float) -> None:
        self._ending = True
        for idle in self._idle:
            idle.cancel()
        self._idle.clear()
        if self._workers:
            await asyncio.wait(self._workers, timeout=grace_seconds)
        unfinished = list(self._in_flight.values())
        for worker in self._workers:
            worker.cancel()
        for message in unfinished:
            await _quietly(message.nak())

    def _start(self, message: Msg) -> None:
        """Has it worked on by who is idle; a task for each message would cost 4 µs more."""
        self._in_flight[message.reply] = message
        self._in_flight_gauge.inc()
        if self._idle:
            self._idle.pop().set_result(message)
            return
        worker = asyncio.create_task(self._keep_working(message))
        self._workers.add(worker)
        worker.add_done_callback(self._workers.discard)

    async def _keep_working(self, message: Msg) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                await self._work(message)
            finally:
                self._in_flight.pop(message.reply, None)
                self._in_flight_gauge.dec()
                self._consumer.release()
            if self._ending:
                return
            idle: asyncio.Future[Msg] = loop.create_future()
            self._idle.append(idle)
            message = await idle

    async def _work(self, message: Msg) -> None:
        deliveries = delivery_count(message.reply)
        try:
            await self._dispatch(decode_event(message.data), message.subject, deliveries)
            self._acks.add(message.reply)
            self._done_counter.inc()
        except DeliverLater as later:
            await _quietly(message.nak(delay=later.seconds))
        except (*TRANSIENT_BUS_ERRORS, EvidenceUnavailable) as error:
            LANE_OUTCOMES.labels(self._stage, "deferred").inc()
            log.warning("lane.deferred", stage=self._stage, subject=message.subject, error=type(error).__name__)
            await _quietly(message.nak(delay=RETRY_DELAY_SECONDS[min(deliveries, len(RETRY_DELAY_SECONDS)) - 1]))
        except Exception as error:  # noqa: BLE001  the consumer loop: an unforeseen failure becomes a parked unit
            await self._park(message, deliveries, error)

    async def _dispatch(self, event: Event, subject: str, deliveries: int) -> None:
        """Works on a trigger itself, or on the one that a requeue of this stage points at."""
        if not isinstance(event, UnitRequeued):
            assert isinstance(event, self._triggers)
            await self._handle(event, Delivery(subject, redelivered=deliveries > 1))
            return
        if event.stage != self._stage:
            return
        if (wait_ms := event.not_before - self._clock.now_ms()) > 0:
            raise DeliverLater(wait_ms / 1000)
        trigger = await self._bus.last_event(event.trigger)
        if isinstance(trigger, self._triggers):
            await self._handle(trigger, Delivery(event.trigger, redelivered=True, requeue=event.requeue))

    async def _park(self, message: Msg, deliveries: int, error: Exception) -> None:
        LANE_OUTCOMES.labels(self._stage, "parked").inc()
        log.error("lane.parked", stage=self._stage, subject=message.subject, exc_info=error)
        try:
            parked = parked_by(message.data, self._stage, deliveries, error, self._clock.now_ms())
            if parked is not None:
                await publish_once(self._bus, parked)
            await message.ack()
        except TRANSIENT_BUS_ERRORS:
            await _quietly(message.nak(delay=RETRY_DELAY_SECONDS[-1]))

    async def _beat(self) -> None:
        """Tells the broker of long calls that they are alive. Short ones never see a beat."""
        seen: set[str] = set()
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for message in [self._in_flight[reply] for reply in seen & self._in_flight.keys()]:
                await _quietly(message.in_progress())
            seen = set(self._in_flight)


def parked_by(data: bytes, stage: Stage, delivery: int, error: Exception, now_ms: int) -> UnitParked | None:
    """The fact that a unit is parked; None for bytes that are no event of a job (they are logged, and that is all)."""
    try:
        event = decode_event(data)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return None
    if not isinstance(event, UnitFact):
        return None
    first_line = (str(error).splitlines() or [""])[0]
    return UnitParked(
        at=now_ms,
        job_id=event.job_id,
        unit=f"{event.unit}-{stage}-{delivery}",
        stage=stage,
        trigger=event.trigger if isinstance(event, UnitRequeued) else subject_of(event),
        error=f"{type(error).__name__}: {first_line}"[:300],
    )


async def _quietly(awaitable: Awaitable[object]) -> None:
    """Beats and refusals are hints: the broker delivers again when one is lost."""
    try:
        await awaitable
    except TRANSIENT_BUS_ERRORS:
        return
