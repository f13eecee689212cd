"""FastStream subscribers for decisions: seldom, short, one at a time. Unit work goes through lanes instead.

A reactor's message is acknowledged when its handler returns. A broker or store that is away means "again later"; any
other failure is logged with its subject and tried again, more and more slowly, since a decision must not be dropped.
"""

import asyncio
from collections.abc import Awaitable, Callable

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

_ACK_WAIT_SECONDS = 60.0
_POLL_SECONDS = 1.0
_BACKOFF_SECONDS = (0.5, 1.0, 5.0, 15.0, 60.0)


def react(bus: Bus, event_type: type[JobFact], *, durable: str, handle: Callable[[Event], Awaitable[None]]) -> None:
    """Registers a reactor for a job's `event_type`. Takes effect with `bus.broker.start()`."""

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
        except Exception:  # the consumer loop: logged and tried again, never dropped
            log.exception("reactor.failed", durable=durable, subject=subject)
            await message.nack(delay=wait)
        else:
            await message.ack()
        finally:
            beating.cancel()

    bus.broker.subscriber(
        job_subject("*", event_type),
        durable=durable,
        pull_sub=PullSub(batch_size=1, timeout=_POLL_SECONDS),
        stream=JStream(STREAM, declare=False),
        ack_policy=AckPolicy.MANUAL,
        config=api.ConsumerConfig(ack_wait=_ACK_WAIT_SECONDS, max_ack_pending=1),
    )(consume)


async def _beat(message: NatsMessage) -> None:
    """Planning a large dataset takes longer than the broker waits for an acknowledgement."""
    while True:
        await asyncio.sleep(_ACK_WAIT_SECONDS / 3)
        try:
            await message.in_progress()
        except TRANSIENT_BUS_ERRORS:
            log.debug("reactor.beat_failed")
