"""Which service states each fact, and which ones act on it: the choreography as a table.

The ledger appends every event, so it stands in no row. The architecture tests hold the `states` column against the
services' source.
"""

import typing
from typing import Final, Literal

from msgspec import Struct

from aml.contracts.access import (
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
from aml.contracts.boards import BoardPublished, ReviewDecided
from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.decisions import DecisionExplained
from aml.contracts.deletion import DeletionAttested
from aml.contracts.doctor import ContractChecked
from aml.contracts.envelope import Fact
from aml.contracts.events import Event
from aml.contracts.fair_play import CanaryPlanned, IsolationProbed, SearchFlagged
from aml.contracts.jobs import JobCancelled, JobFailed, JobPlanned, JobRequested
from aml.contracts.proposals import BenchmarkProposed, ProposalDecided
from aml.contracts.release import ReleaseLocked
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
from aml.contracts.shredding import EvidenceShredded
from aml.contracts.units import (
    AnswerGenerated,
    ChunkAdded,
    QuestionOpened,
    SampleIngested,
    SamplePlanned,
    SearchReturned,
    UnitParked,
    UnitRequeued,
)
from aml.contracts.verdicts import AnswerScored, UnitUnscored

Service = Literal["gateway", "ingest", "retrieval", "judge", "ledger", "publisher"]

SERVICES: Final[tuple[Service, ...]] = typing.get_args(Service)
RECORDER: Final[Service] = "ledger"
"""Appends every event, whoever states it."""

_WORKERS: Final[tuple[Service, ...]] = ("ingest", "retrieval", "judge")


class Flow(Struct, frozen=True):
    states: tuple[Service, ...]
    acts: tuple[Service, ...] = ()
    """Beyond appending it: does work, keeps a projection, or refuses work because of it."""


FLOWS: Final[dict[type[Fact], Flow]] = {
    AccessRequested: Flow(("gateway",)),
    AccessApproved: Flow(("gateway",)),
    AccessDeclined: Flow(("gateway",)),
    KeyIssued: Flow(("gateway",)),
    KeyRotated: Flow(("gateway",)),
    KeyRevoked: Flow(("gateway",)),
    VersionBound: Flow(("gateway",)),
    VersionDisclosed: Flow(("gateway",), ("publisher",)),
    VersionChanged: Flow(("gateway",), ("publisher",)),
    VersionWithdrawn: Flow(("gateway",)),
    MemoryKeyReplaced: Flow(("gateway",)),
    DecisionExplained: Flow(("gateway",)),
    ReleaseLocked: Flow(("gateway",), ("ledger",)),
    JudgeCalibrated: Flow(("judge",), ("judge", "ledger")),
    JobRequested: Flow(("gateway",), (*_WORKERS, "ledger")),
    ContractChecked: Flow(("ingest",), ("gateway", "ingest")),
    JobPlanned: Flow(("ingest",), ("gateway", *_WORKERS, "ledger")),
    SamplePlanned: Flow(("ingest",), _WORKERS),
    ChunkAdded: Flow(("ingest",), ("gateway", "ingest")),
    SampleIngested: Flow(("ingest",), ("gateway",)),
    QuestionOpened: Flow(("ingest",), ("gateway", "retrieval")),
    SearchFlagged: Flow(("retrieval",), ("ledger",)),
    CanaryPlanned: Flow(("ingest",), ("ingest", "ledger")),
    IsolationProbed: Flow(("ingest",), ("ledger",)),
    SearchReturned: Flow(("retrieval",), ("gateway", "judge")),
    AnswerGenerated: Flow(("judge",), ("gateway", "judge")),
    AnswerScored: Flow(("judge",), ("gateway", "ledger")),
    UnitUnscored: Flow(_WORKERS, ("gateway", "ledger")),
    UnitRequeued: Flow((*_WORKERS, "ledger"), ("gateway", *_WORKERS)),
    UnitParked: Flow(_WORKERS, ("gateway",)),
    JobFailed: Flow(("ingest", "retrieval"), ("gateway", *_WORKERS, "ledger")),
    JobCancelled: Flow(("gateway",), ("gateway", *_WORKERS, "ledger")),
    JobSealed: Flow(("ledger",), ("gateway", *_WORKERS, "ledger")),
    GatePassed: Flow(("ledger",), ("gateway", "publisher")),
    GateRefused: Flow(("ledger",), ("gateway",)),
    ReviewDecided: Flow(("gateway",), ("publisher",)),
    EvidenceShredded: Flow(("gateway",), ("gateway",)),
    DeletionAttested: Flow(("gateway",)),
    BoardPublished: Flow(("publisher",), ("gateway", "publisher")),
    BenchmarkProposed: Flow(("gateway",)),
    ProposalDecided: Flow(("gateway",)),
}


def event_types() -> tuple[type[Fact], ...]:
    """Every member of the closed union, in its order."""
    return typing.get_args(Event)
