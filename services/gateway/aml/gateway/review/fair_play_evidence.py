"""What was flagged in a run, question by question, with the memories that were: read from the stream and the evidence.

Read at each request: a file is looked at a few times by a few people, and what it cites may have been destroyed meanwhile.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Final, TypeVar

import nats.errors
import nats.js.errors
from nats.js import api

from aml.contracts.envelope import EvidenceRef
from aml.contracts.events import Event, decode_event
from aml.contracts.fair_play import FlaggedItem, IsolationProbed, SearchFlagged
from aml.contracts.participant import Content, Memory, TextPart
from aml.gateway.errors import Unavailable
from aml.rules.identity import STREAM, event_id, job_subject
from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus
from aml.runtime.evidence import EvidenceCorrupt, EvidenceStore, EvidenceUnavailable

from .views import EvidenceState, FairPlayEvidence, FlaggedMemory, FlaggedQuestion, IsolationProbe

T = TypeVar("T")

SHOWN_CHARS: Final = 4_000
MAX_PROBES: Final = 100
_FETCH: Final = 100
_SECONDS: Final = 5.0
_FORGET_SECONDS: Final = 60.0


async def load_fair_play(
    bus: Bus, evidence: EvidenceStore, job_id: str, *, limit: int, offset: int
) -> FairPlayEvidence:
    """In the order in which they were stated. Raises `Unavailable`."""
    questions: list[FlaggedQuestion] = []
    total = 0
    probes: list[IsolationProbe] = []
    try:
        async with asyncio.timeout(_SECONDS):
            async for waiting, event in _facts(bus, job_subject(job_id, SearchFlagged, "*"), offset + limit):
                total = max(total, waiting)
                if isinstance(event, SearchFlagged):
                    offset -= 1
                    if offset < 0:
                        questions.append(await _question(evidence, event))
            async for _, event in _facts(bus, job_subject(job_id, IsolationProbed, "*"), MAX_PROBES):
                if isinstance(event, IsolationProbed):
                    probes.append(await _probe(evidence, event))
    except (TimeoutError, nats.errors.Error, *TRANSIENT_BUS_ERRORS):
        raise Unavailable("fair_play_unavailable", "the broker cannot be asked for what was flagged") from None
    return FairPlayEvidence(total=total, questions=tuple(questions), probes=tuple(probes))


async def _facts(bus: Bus, subject: str, limit: int) -> AsyncIterator[tuple[int, Event]]:
    """How many there are on `subject`, with each of the first `limit`."""
    config = api.ConsumerConfig(
        ack_policy=api.AckPolicy.NONE,
        deliver_policy=api.DeliverPolicy.ALL,
        inactive_threshold=_FORGET_SECONDS,
        mem_storage=True,
    )
    waiting = await bus.js.pull_subscribe(subject, stream=STREAM, config=config)
    name = None
    try:
        info = await waiting.consumer_info()
        name, total = info.name, info.num_pending or 0
        left = min(total, limit)
        while left > 0:
            messages = await waiting.fetch(min(left, _FETCH), timeout=1.0)
            left -= len(messages)
            for message in messages:
                yield total, decode_event(message.data)
    finally:
        await waiting.unsubscribe()
        if name is not None:
            await bus.js.delete_consumer(STREAM, name)


async def _question(evidence: EvidenceStore, event: SearchFlagged) -> FlaggedQuestion:
    state, items = await _open(evidence, event.job_id, event_id(event), event.items, tuple[FlaggedItem, ...])
    return FlaggedQuestion(
        unit=event.unit,
        dataset=event.dataset,
        sample=event.sample,
        item=event.index,
        returned=event.returned,
        flags=event.flags,
        evidence=state,
        memories=tuple(
            FlaggedMemory(
                position=item.position, kinds=item.kinds, id=item.memory.id[:200], text=text_of(item.memory.content)
            )
            for item in items or ()
        ),
    )


async def _probe(evidence: EvidenceStore, event: IsolationProbed) -> IsolationProbe:
    state, memories = await _open(evidence, event.job_id, event_id(event), event.memories, tuple[Memory, ...])
    shown = (memories or ()) if event.outcome == "leaked" else ()
    return IsolationProbe(
        unit=event.unit,
        sample=event.sample,
        outcome=event.outcome,
        returned=event.returned,
        evidence=state,
        memories=tuple(
            FlaggedMemory(position=place, kinds=(), id=memory.id[:200], text=text_of(memory.content))
            for place, memory in enumerate(shown[:20])
        ),
    )


async def _open(
    evidence: EvidenceStore, job_id: str, event: str, ref: EvidenceRef | None, shape: type[T]
) -> tuple[EvidenceState, T | None]:
    if ref is None:
        return "none", None
    try:
        return "shown", await evidence.open_json(job_id, event, ref, shape)
    except EvidenceCorrupt:
        return "destroyed", None
    except EvidenceUnavailable:
        return "unavailable", None


def text_of(content: Content) -> str:
    """Images are named, not shown."""
    parts = (
        [content]
        if isinstance(content, str)
        else [part.text if isinstance(part, TextPart) else "[image]" for part in content]
    )
    return "\n".join(parts)[:SHOWN_CHARS]
