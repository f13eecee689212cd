"""Reading the stream's history and then its present, in order: how a process learns what it need not store.

The reader is ephemeral. After any interruption it starts again from the first event, so `apply` must be idempotent; the
stream's sequence is never remembered, because a restored stream may count anew.
"""

import asyncio
from collections.abc import Callable, Sequence

import structlog
from nats.js import api

from aml.contracts.events import Event
from aml.rules.identity import STREAM
from aml.rules.upcast import read_event

from .bus import TRANSIENT_BUS_ERRORS, Bus

log = structlog.get_logger()

_BATCH = 500


async def follow(
    bus: Bus,
    *,
    filter_subjects: Sequence[str],
    apply: Callable[[Event], None],
    stop: asyncio.Event,
    caught_up: asyncio.Event | None = None,
) -> None:
    """Calls `apply` for every matching event until `stop`. Sets `caught_up` once the history has been read.

    Raises `UnknownEventVersion`, and msgspec's errors for what is no event: a state without it would be another state.
    """
    while not stop.is_set():
        try:
            await _follow_once(bus, filter_subjects, apply, stop, caught_up)
        except TRANSIENT_BUS_ERRORS as error:
            log.warning("follow.interrupted", error=type(error).__name__)
            await asyncio.sleep(0.2)


async def _follow_once(
    bus: Bus,
    filter_subjects: Sequence[str],
    apply: Callable[[Event], None],
    stop: asyncio.Event,
    caught_up: asyncio.Event | None,
) -> None:
    config = api.ConsumerConfig(
        filter_subjects=list(filter_subjects),
        ack_policy=api.AckPolicy.NONE,
        deliver_policy=api.DeliverPolicy.ALL,
        inactive_threshold=60.0,
        mem_storage=True,
        num_replicas=1,
    )
    subscription = await bus.js.pull_subscribe("", stream=STREAM, config=config)
    try:
        history = (await subscription.consumer_info()).num_pending or 0
        if history == 0 and caught_up is not None:
            caught_up.set()
        while not stop.is_set():
            try:
                messages = await subscription.fetch(_BATCH if history > 0 else 1, timeout=1.0)
            except TimeoutError:
                if not bus.connected:
                    raise
                await subscription.consumer_info()  # raises when the broker restarted and forgot the reader
                continue
            for message in messages:
                apply(read_event(message.data))
            history -= len(messages)
            if history <= 0 and caught_up is not None:
                caught_up.set()
    finally:
        try:
            await subscription.unsubscribe()
        except TRANSIENT_BUS_ERRORS:
            log.debug("follow.unsubscribe_failed")
