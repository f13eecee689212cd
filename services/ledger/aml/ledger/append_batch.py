"""What a batch of messages becomes: rows of the log, the heads of the jobs they belong to, and the grown tree. Pure."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from aml.contracts.envelope import JobFact, UnitFact
from aml.contracts.events import Event
from aml.contracts.jobs import JobCancelled, JobFailed, JobPlanned
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.contracts.vocabulary import JobState
from aml.rules.entry import EntryInvalid, canonical_event, entry_bytes
from aml.rules.identity import event_id_at, event_name, subject_of
from aml.rules.merkle import Frontier, Node, leaf_hash
from aml.rules.tiles import MAX_ENTRY_BYTES

MAX_EVENT_BYTES = MAX_ENTRY_BYTES - 511
"""What an entry adds to its event (id, index, chain) is below 300 bytes; the bound must not hang on the entry's place."""


@dataclass(frozen=True, slots=True)
class StreamMessage:
    """As the stream delivered it. `seq` is where the stream holds it now, which is no identity."""

    seq: int
    subject: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message that is an event in canonical form, on its own subject."""

    event: Event
    event_id: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Refused:
    """A message that is none. It is kept beside the log, so that nothing vanishes without a trace."""

    subject: str
    data: bytes
    problem: str

    @property
    def digest(self) -> bytes:
        return hashlib.sha256(self.subject.encode() + b"\x00" + self.data).digest()


@dataclass(frozen=True, slots=True)
class JobHead:
    """Where a job's chain ends, and how far the job is."""

    entries: int = 0
    last_leaf: bytes | None = None
    planned: int | None = None
    """Questions; None before `JobPlanned`."""
    ended: int = 0
    """Questions with a score or a reason for none. A question ends once: both ends have one subject and so one id."""
    stopped: JobState | None = None
    """`failed` or `cancelled`."""
    sealed_idx: int | None = None
    gate_idx: int | None = None

    @property
    def closable(self) -> bool:
        """The job may be ready for its seal or its gate."""
        if self.sealed_idx is not None:
            return self.gate_idx is None
        return self.stopped is not None or (self.planned is not None and self.ended >= self.planned)


@dataclass(frozen=True, slots=True)
class Row:
    idx: int
    event_id: str
    kind: str
    job_id: str | None
    job_seq: int | None
    unit: str | None
    leaf: bytes
    body: bytes


@dataclass(frozen=True)
class Growth:
    """What one transaction adds."""

    rows: list[Row]
    jobs: dict[str, JobHead]
    nodes: list[Node]
    frontier: Frontier

    @property
    def closable(self) -> bool:
        return any(head.closable or head.gate_idx is not None for head in self.jobs.values())


@dataclass
class ReadBatch:
    incoming: list[Incoming] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)


def read_batch(messages: Sequence[StreamMessage]) -> ReadBatch:
    """Sorts messages into events and refusals. Of two messages with one id the first stays."""
    batch = ReadBatch()
    seen: set[str] = set()
    for message in messages:
        try:
            each = _read_message(message)
        except EntryInvalid as error:
            batch.refused.append(Refused(message.subject, message.data, error.problem))
            continue
        if each.event_id not in seen:
            seen.add(each.event_id)
            batch.incoming.append(each)
    return batch


def _read_message(message: StreamMessage) -> Incoming:
    if len(message.data) > MAX_EVENT_BYTES:
        raise EntryInvalid(f"an event of {len(message.data)} bytes; an entry's bundle has room for {MAX_EVENT_BYTES}")
    event = canonical_event(message.data)
    subject = subject_of(event)
    if subject != message.subject:
        raise EntryInvalid(f"an event of {subject}")
    return Incoming(event, event_id_at(subject), message.data)


def decide_growth(
    incoming: Sequence[Incoming], known: Collection[str], frontier: Frontier, heads: Mapping[str, JobHead]
) -> Growth:
    """`known` are the ids that the log already holds; `heads` those of the jobs it already knows."""
    growth = Growth(rows=[], jobs={}, nodes=[], frontier=frontier.copy())
    for each in incoming:
        if each.event_id in known:
            continue
        event, idx = each.event, growth.frontier.size
        job_id = event.job_id if isinstance(event, JobFact) else None
        job_seq: int | None = None
        prev: str | None = None
        if job_id is not None:
            head = growth.jobs.get(job_id) or heads.get(job_id) or JobHead()
            job_seq, prev = head.entries, head.last_leaf.hex() if head.last_leaf is not None else None
        body = entry_bytes(event=each.data, event_id=each.event_id, index=idx, job_seq=job_seq, prev=prev)
        leaf = leaf_hash(body)
        growth.nodes.extend(growth.frontier.append(leaf))
        unit = event.unit if isinstance(event, UnitFact) else None
        growth.rows.append(Row(idx, each.event_id, event_name(type(event)), job_id, job_seq, unit, leaf, body))
        if job_id is not None:
            growth.jobs[job_id] = _advanced(head, event, idx, leaf)
    return growth


def _advanced(head: JobHead, event: Event, idx: int, leaf: bytes) -> JobHead:
    head = JobHead(
        head.entries + 1, leaf, head.planned, head.ended, head.stopped, head.sealed_idx, head.gate_idx
    )  # positional: `replace` costs 2 µs, and this happens for every event
    match event:
        case AnswerScored() | UnitUnscored():
            return replace(head, ended=head.ended + 1)
        case JobPlanned():
            return replace(head, planned=event.questions)
        case JobFailed():
            return replace(head, stopped=head.stopped or "failed")
        case JobCancelled():
            return replace(head, stopped=head.stopped or "cancelled")
        case JobSealed():
            return replace(head, sealed_idx=idx)
        case GatePassed() | GateRefused():
            return replace(head, gate_idx=idx)
        case _:
            return head
