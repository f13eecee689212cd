"""The closed union of everything that can happen, with one decoder for it."""

import msgspec

from .access import (
    AccessApproved,
    AccessDeclined,
    AccessRequested,
    KeyIssued,
    KeyRevoked,
    KeyRotated,
    MemoryKeyReplaced,
    VersionBound,
    VersionChanged,
    VersionDisclosed,
    VersionWithdrawn,
)
from .boards import BoardPublished, ReviewDecided
from .calibration import JudgeCalibrated
from .decisions import DecisionExplained
from .deletion import DeletionAttested
from .doctor import ContractChecked
from .fair_play import CanaryPlanned, IsolationProbed, SearchFlagged
from .jobs import JobCancelled, JobFailed, JobPlanned, JobRequested
from .proposals import BenchmarkProposed, ProposalDecided
from .release import ReleaseLocked
from .seals import GatePassed, GateRefused, JobSealed
from .shredding import EvidenceShredded
from .units import (
    AnswerGenerated,
    ChunkAdded,
    QuestionOpened,
    SampleIngested,
    SamplePlanned,
    SearchReturned,
    UnitParked,
    UnitRequeued,
)
from .verdicts import AnswerScored, UnitUnscored

AccessEvent = AccessRequested | AccessApproved | AccessDeclined
KeyEvent = KeyIssued | KeyRotated | KeyRevoked
VersionEvent = VersionBound | VersionDisclosed | VersionChanged | VersionWithdrawn | MemoryKeyReplaced
ProposalEvent = BenchmarkProposed | ProposalDecided
UnitEvent = (
    SamplePlanned
    | ChunkAdded
    | SampleIngested
    | QuestionOpened
    | SearchReturned
    | AnswerGenerated
    | AnswerScored
    | UnitUnscored
    | UnitRequeued
    | UnitParked
    | SearchFlagged
    | CanaryPlanned
    | IsolationProbed
)
JobEvent = (
    JobRequested
    | ContractChecked
    | JobPlanned
    | JobFailed
    | JobCancelled
    | JobSealed
    | GatePassed
    | GateRefused
    | ReviewDecided
    | EvidenceShredded
    | DeletionAttested
    | UnitEvent
)
Event = (
    AccessEvent
    | KeyEvent
    | VersionEvent
    | DecisionExplained
    | ReleaseLocked
    | JudgeCalibrated
    | JobEvent
    | BoardPublished
    | ProposalEvent
)

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_encoder = msgspec.json.Encoder(order="sorted")


def decode_event(data: bytes) -> Event:
    """Raises `msgspec.ValidationError` for anything that is not one known event with exactly its fields."""
    return _decoder.decode(data)


def encode_event(event: Event) -> bytes:
    """The canonical bytes (RFC 8785): names are ASCII, numbers are integers, so msgspec's sorted form is that form."""
    return _encoder.encode(event)
