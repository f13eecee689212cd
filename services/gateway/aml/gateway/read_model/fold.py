"""What a batch of events adds to the read model. Pure: events in, rows out."""

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from msgspec import Struct, field

from aml.contracts.boards import BoardPublished
from aml.contracts.events import Event
from aml.contracts.jobs import JobCancelled, JobFailed, JobPlanned
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
from aml.contracts.shredding import EvidenceShredded
from aml.contracts.units import (
    AnswerGenerated,
    ChunkAdded,
    QuestionOpened,
    SampleIngested,
    SearchReturned,
    UnitParked,
    UnitRequeued,
)
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.rules.quota import PLATFORM_REASONS


class Kind(IntEnum):
    """What a fact counts towards. The numbers are stored."""

    CHUNK_ADDED = 1
    SAMPLE_INGESTED = 2
    OPENED = 3
    SEARCHED = 4
    ANSWERED = 5
    CORRECT = 6
    INCORRECT = 7
    GRADED = 8
    UNSCORED = 9
    UNSCORED_BY_PLATFORM = 10
    REQUEUED = 11
    PARKED = 12


_OUTCOMES = {"correct": Kind.CORRECT, "incorrect": Kind.INCORRECT, "graded": Kind.GRADED}

Milestone = (
    JobPlanned
    | JobFailed
    | JobCancelled
    | JobSealed
    | GatePassed
    | GateRefused
    | EvidenceShredded
    | UnitParked
    | BoardPublished
)


class Trouble(Struct, frozen=True, kw_only=True):
    """Why a unit of a job is tried again, or was given up: what a job that stalls can say."""

    stage: str
    reason: str
    detail: str


class Fold(Struct, kw_only=True):
    facts: list[tuple[str, int, str, int]] = field(default_factory=list)
    """(job, kind, unit, retries)."""
    units: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    """(job, unit) to the columns that became known; a batch names each unit once."""
    troubles: dict[str, Trouble] = field(default_factory=dict)
    """A job to the last one of it."""
    milestones: list[Milestone] = field(default_factory=list)
    """Seldom, and applied one by one in their order."""


def fold(events: Iterable[Event]) -> Fold:
    folded = Fold()
    for event in events:
        _add(folded, event)
        if isinstance(event, UnitUnscored | UnitRequeued):
            folded.troubles[event.job_id] = Trouble(stage=event.stage, reason=event.reason, detail=event.detail)
    return folded


def _add(folded: Fold, event: Event) -> None:
    match event:
        case ChunkAdded():
            folded.facts.append((event.job_id, Kind.CHUNK_ADDED, event.unit, _retries(event.attempts)))
        case QuestionOpened():
            folded.facts.append((event.job_id, Kind.OPENED, event.unit, 0))
            _unit(folded, event)
        case SearchReturned():
            folded.facts.append((event.job_id, Kind.SEARCHED, event.unit, _retries(event.attempts)))
            row = _unit(folded, event)
            row["returned"] = event.returned
            row["search_attempts"] = event.attempts
            row["search_micros"] = event.latency
        case AnswerGenerated():
            folded.facts.append((event.job_id, Kind.ANSWERED, event.unit, event.retry_calls))
            row = _unit(folded, event)
            row["context_items"] = event.context_items
            row["prompt_tokens"] = event.prompt_tokens
            row["answer_micros"] = event.latency
            row["answer_calls"] = event.primary_calls + event.retry_calls
        case AnswerScored():
            folded.facts.append((event.job_id, _OUTCOMES[event.outcome], event.unit, event.retry_calls))
            row = _unit(folded, event)
            row["category"] = event.category
            row["outcome"] = event.outcome
            row["score"] = event.score
            row["rule"] = event.rule
            row["evidence_recall"] = event.evidence_recall
            row["judge_calls"] = event.primary_calls + event.retry_calls
        case UnitUnscored():
            kind = Kind.UNSCORED_BY_PLATFORM if event.reason in PLATFORM_REASONS else Kind.UNSCORED
            folded.facts.append((event.job_id, kind, event.unit, _retries(event.attempts)))
            row = _unit(folded, event)
            row["category"] = event.category
            row["outcome"] = "unscored"
            row["stage"] = event.stage
            row["reason"] = event.reason
            row["detail"] = event.detail
            if event.stage == "scoring":
                row["judge_calls"] = event.attempts
        case SampleIngested():
            folded.facts.append((event.job_id, Kind.SAMPLE_INGESTED, event.unit, 0))
        case UnitRequeued():
            folded.facts.append((event.job_id, Kind.REQUEUED, event.unit, 0))
        case UnitParked():
            folded.facts.append((event.job_id, Kind.PARKED, event.unit, 0))
            folded.milestones.append(event)
        case (
            JobPlanned()
            | JobFailed()
            | JobCancelled()
            | JobSealed()
            | GatePassed()
            | GateRefused()
            | EvidenceShredded()
            | BoardPublished()
        ):
            folded.milestones.append(event)
        case _:
            pass  # the gateway's own facts, and those that no page shows


def _unit(
    folded: Fold, event: QuestionOpened | SearchReturned | AnswerGenerated | AnswerScored | UnitUnscored
) -> dict[str, Any]:
    key = (event.job_id, event.unit)
    row = folded.units.get(key)
    if row is None:
        row = folded.units[key] = {
            "job_id": event.job_id,
            "unit": event.unit,
            "dataset": event.dataset,
            "sample": event.sample,
            "item": event.index,
        }
    return row


def _retries(attempts: int) -> int:
    return max(0, attempts - 1)
