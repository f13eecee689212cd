"""Once only, by construction: a fact's subject is its natural key, and the stream refuses a second message on it."""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from aml.contracts.events import Event, encode_event
from aml.rules.identity import VERDICTS, subject_of

from .bus import Bus

_AT_ONCE: Final = 64


class Published(Enum):
    NEW = "new"
    ALREADY = "already"
    """The same fact, or one about the same unit from an earlier delivery, stands already: it is the one that counts."""


class ConflictingFact(Exception):
    """The stream refuses the fact and holds none on its subject, or one of another type: nothing that a retry mends."""

    def __init__(self, subject: str, found: str) -> None:
        super().__init__(f"the stream refused a fact on {subject} and holds {found} there")
        self.subject = subject
        self.found = found


async def publish_once(bus: Bus, event: Event) -> Published:
    """Returns when the stream has stored the fact, now or earlier.

    A publish that timed out is ambiguous; calling again with the same event is always safe. Raises `ConflictingFact`, or
    one of `bus.TRANSIENT_BUS_ERRORS` when the broker is away.
    """
    subject = subject_of(event)
    if await bus.append(subject, encode_event(event)):
        return Published.NEW
    await _require_same_kind(bus, subject, event)
    return Published.ALREADY


async def publish_all(bus: Bus, events: Sequence[Event]) -> None:
    """Like `publish_once` for each, in their order, some at a time: together a fact costs a tenth of what it costs alone."""
    for start in range(0, len(events), _AT_ONCE):
        window = [(subject_of(event), event) for event in events[start : start + _AT_ONCE]]
        stored = await bus.append_all((subject, encode_event(event)) for subject, event in window)
        for (subject, event), is_new in zip(window, stored, strict=True):
            if not is_new:
                await _require_same_kind(bus, subject, event)


async def _require_same_kind(bus: Bus, subject: str, event: Event) -> None:
    """The first fact about a unit stands, whatever a second worker measured; what must agree is what the fact is about."""
    found = await bus.last_event(subject)
    if found is None:
        raise ConflictingFact(subject, "nothing")
    same_kind = type(found) is type(event) or (type(found) in VERDICTS and type(event) in VERDICTS)
    if not same_kind or not _same_inputs(found, event):
        raise ConflictingFact(subject, f"another {type(found).__name__}")


_INPUTS = (
    "sample",
    "index",
    "dataset",
    "sample_id",
    "user_id",
    "release_digest",
    "chunk_pack",
    "question_pack",
    "gold_pack",
)


def _same_inputs(one: Event, other: Event) -> bool:
    """What a fact is about is deterministic, digests included; times, latencies and what a participant said are not."""
    return all(getattr(one, name, None) == getattr(other, name, None) for name in _INPUTS)
