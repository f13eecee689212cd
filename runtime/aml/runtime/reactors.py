"""FastStream subscribers for decisions: seldom, short, as a rule one at a time. Unit work goes through lanes instead.

A reactor's message is acknowledged when its handler returns. A broker or store that is away means "again later"; any
other failure is logged with its subject and tried again a few times, more and more slowly. Then `give_up` states what is to
become of it, since a decision is never dropped in silence and must not hold up the ones behind it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import msgspec
import nats.js.errors
import structlog
from faststream import AckPolicy
from faststream.nats import JStream, NatsMessage, PullSub
from nats.js import api

from aml.contracts.envelope import JobFact
from aml.contracts.events import Event, decode_event
from aml.rules.identity import STREAM, job_subject

from .bus import TRANSIENT_BUS_ERRORS, Bus
from .evidence import EvidenceUnavailable

log = structlog.get_logger()

_ACK_WAIT_SECONDS = 10.0
_POLL_SECONDS = 1.0
_BACKOFF_SECONDS = (0.5, 1.0, 5.0, 15.0, 60.0)
_LOOK_SECONDS = 3.0
PATIENCE = 4
"""Deliveries of an event whose handler fails for no foreseen reason."""


def react(
    bus: Bus,
    event_type: type[JobFact],
    *,
    durable: str,
    handle: Callable[[Event], Awaitable[None]],
    give_up: Callable[[Event, Exception], Awaitable[None]],
    at_once: int = 1,
) -> None:
    """Registers a reactor for a job's `event_type`. Takes effect with `bus.broker.start()`; `keep_reactors` runs from then on.

    `at_once` above 1 is for decisions that wait for somebody else, so that one of them does not hold up the others.
    """

    async def consume(message: NatsMessage) -> None:
        subject = message.raw_message.subject
        deliveries = message.raw_message.metadata.num_delivered or 1
        wait = _BACKOFF_SECONDS[min(deliveries, len(_BACKOFF_SECONDS)) - 1]
        beating = asyncio.create_task(_beat(message))
        try:
            await handle(decode_event(message.body))
        except (*TRANSIENT_BUS_ERRORS, EvidenceUnavailable) as error:
            log.warning("reactor.deferred", durable=durable, subject=subject, error=type(error).__name__)
            await message.nack(delay=wait)
        except Exception as error:  # the consumer loop: logged, tried again, then given up in the open
            log.exception("reactor.failed", durable=durable, subject=subject)
            if deliveries < PATIENCE or not await _given_up(message, give_up, error):
                await message.nack(delay=wait)
        else:
            await message.ack()
        finally:
            beating.cancel()

    subject = job_subject("*", event_type)
    limits = api.ConsumerConfig(ack_wait=_ACK_WAIT_SECONDS, max_ack_pending=at_once)
    bus.broker.subscriber(
        subject,
        durable=durable,
        pull_sub=PullSub(batch_size=1, timeout=_POLL_SECONDS),
        stream=JStream(STREAM, declare=False),
        ack_policy=AckPolicy.MANUAL,
        config=replace(limits),
        max_workers=at_once,
    )(consume)
    bus.reactors.append(
        replace(limits, durable_name=durable, filter_subject=subject, ack_policy=api.AckPolicy.EXPLICIT)
    )


async def _given_up(
    message: NatsMessage, give_up: Callable[[Event, Exception], Awaitable[None]], error: Exception
) -> bool:
    try:
        await give_up(decode_event(message.body), error)
    except msgspec.ValidationError:
        # No event of ours: there is nothing to state about it.
        log.warning("reactor.unreadable", subject=message.raw_message.subject)
    except TRANSIENT_BUS_ERRORS:
        return False
    await message.ack()
    return True


async def keep_reactors(bus: Bus, stop: asyncio.Event) -> None:
    """Until `stop`: makes a reactor's consumer anew when the broker has lost it. FastStream polls on and never notices."""
    while not stop.is_set():
        try:
            await asyncio.wait_for(stop.wait(), _LOOK_SECONDS)
        except TimeoutError:
            for config in bus.reactors:
                await _restore(bus, config)


async def _restore(bus: Bus, config: api.ConsumerConfig) -> None:
    assert config.durable_name is not None
    try:
        await bus.js.consumer_info(STREAM, config.durable_name)
    except nats.js.errors.NotFoundError:
        log.warning("reactor.consumer_lost", durable=config.durable_name)
    except TRANSIENT_BUS_ERRORS:
        return
    else:
        return
    try:
        await bus.js.add_consumer(STREAM, config)
    except TRANSIENT_BUS_ERRORS as error:
        log.warning("reactor.not_restored", durable=config.durable_name, error=type(error).__name__)


async def _beat(message: NatsMessage) -> None:
    """Planning a large dataset takes longer than the broker waits for an acknowledgement."""
    while True:
        await asyncio.sleep(_ACK_WAIT_SECONDS / 3)
        try:
            await message.in_progress()
        except TRANSIENT_BUS_ERRORS:
            log.debug("reactor.beat_failed")
