"""From an event to the bytes of a leaf, and back. What is hashed here is final: every published proof rests on it.

A leaf is the canonical form of `LogEntry`:

    {"type":"log_entry.v1","event":{…},"event_id":"…","index":7,"job_seq":3,"prev":"…"}

with its members in RFC 8785 order: `event`, `event_id`, `index`, `job_seq`, `prev`, `type`.
"""

import re
from typing import Final

import msgspec
from msgspec import Struct

from aml.contracts.entries import LogEntry
from aml.contracts.envelope import JobFact
from aml.contracts.events import Event, decode_event, encode_event

from .canonical import NotCanonical, canonical
from .identity import event_id
from .merkle import leaf_hash

_LONG_MEMBER: Final = re.compile(rb":-?[0-9]{16}")
_LONG_ITEM: Final = re.compile(rb"[,\[]-?[0-9]{16}")
"""A number stands behind one of these in canonical JSON. Without them, digests would be searched digit by digit."""
_decoder = msgspec.json.Decoder(LogEntry)


class EntryInvalid(Exception):
    """Bytes are not an entry of the log, or not in their only permitted form."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class ReadEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry with its event decoded and its leaf computed."""

    index: int
    leaf: str
    """Lower-case hex."""
    event_id: str
    job_seq: int | None
    prev: str | None
    event: Event


def canonical_event(data: bytes) -> Event:
    """The event in `data`. Raises `EntryInvalid` unless these are an event's canonical bytes."""
    try:
        event = decode_event(data)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise EntryInvalid(f"not an event: {error}") from None
    if encode_event(event) != data:
        raise EntryInvalid("the event's bytes are not in canonical form")
    if _LONG_MEMBER.search(data) or (b"[" in data and _LONG_ITEM.search(data)):  # or a text; the exact check decides
        try:
            canonical(msgspec.json.decode(data))
        except NotCanonical as error:
            raise EntryInvalid(str(error)) from None
    return event


def entry_bytes(*, event: bytes, event_id: str, index: int, job_seq: int | None, prev: str | None) -> bytes:
    """The leaf of an event, given its canonical bytes, which are not read again."""
    if job_seq is None:
        chain = b',"job_seq":null,"prev":null'
    else:
        chain = b',"job_seq":%d,"prev":%s' % (job_seq, b'"%s"' % prev.encode() if prev is not None else b"null")
    return b'{"event":%s,"event_id":"%s","index":%d%s,"type":"log_entry.v1"}' % (event, event_id.encode(), index, chain)


def read_entry(data: bytes) -> ReadEntry:
    """Raises `EntryInvalid` for bytes that `entry_bytes` would not have made."""
    try:
        entry = _decoder.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:  # the event is passed over here, however deep it is
        raise EntryInvalid(f"not a log entry: {error}") from None
    raw = bytes(entry.event)
    event = canonical_event(raw)
    if (entry.job_seq is None) == isinstance(event, JobFact) or (entry.prev is not None) != bool(entry.job_seq):
        raise EntryInvalid(f"entry {entry.index} is not chained as an entry of its kind is")
    if entry.event_id != event_id(event):
        raise EntryInvalid(f"entry {entry.index} carries the id of another event")
    again = entry_bytes(event=raw, event_id=entry.event_id, index=entry.index, job_seq=entry.job_seq, prev=entry.prev)
    if again != data:
        raise EntryInvalid(f"entry {entry.index} is not in canonical form")
    return ReadEntry(
        index=entry.index,
        leaf=leaf_hash(data).hex(),
        event_id=entry.event_id,
        job_seq=entry.job_seq,
        prev=entry.prev,
        event=event,
    )
