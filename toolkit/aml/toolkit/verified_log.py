"""A log's events, each in its newest version, held against the log's own checkpoint."""

from collections.abc import AsyncIterator
from typing import Final

import msgspec

from aml.contracts.entries import LogEntry
from aml.contracts.events import Event
from aml.rules.checkpoint import NoteInvalid, parse_checkpoint, parse_note
from aml.rules.merkle import Frontier, leaf_hash
from aml.rules.upcast import UnknownEventVersion, read_event

from .audit.errors import LogDiffers, SourceUnreadable
from .audit.log_source import LogSource

_entry: Final = msgspec.json.Decoder(LogEntry)


class EntryUnknown(SourceUnreadable):
    """Reading stops: to leave the entry out would be to read another log."""

    def __init__(self, index: int, problem: str) -> None:
        super().__init__(f"entry {index} of the log", problem)
        self.index = index


async def verified_events(source: LogSource, *, start: int = 0) -> AsyncIterator[Event]:
    """All up to the newest checkpoint; the first `start` are hashed and not given.

    Only when the last one was given is it known that they are the checkpoint's: act after the end, never before it.
    Raises `SourceUnreadable`, `LogDiffers`, `EntryUnknown`.
    """
    try:
        head = parse_checkpoint(parse_note(await source.checkpoint()).text)
    except NoteInvalid as error:
        raise SourceUnreadable("the log's checkpoint", str(error)) from None
    tree = Frontier()
    index = 0
    async for body in source.entries(head.size):
        tree.append(leaf_hash(body))
        if index >= start:
            yield event_of(body, index)
        index += 1
    if tree.root() != head.root:
        raise LogDiffers(f"its first {head.size} entries have another root")


def event_of(body: bytes, index: int) -> Event:
    try:
        return read_event(bytes(_entry.decode(body).event))
    except (msgspec.ValidationError, msgspec.DecodeError, UnknownEventVersion) as error:
        raise EntryUnknown(index, str(error)) from None
