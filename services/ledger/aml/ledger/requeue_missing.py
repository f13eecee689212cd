"""What a stalled job still lacks, and the requeues that ask for it. Pure.

For each question without an end the furthest event that exists is handed to its stage again. A unit that an operator has to
look at (parked) is left alone. These requeues do not use up a unit's own (its counter stays), and they have names of their
own (`<unit>-<stage>-stall-<n>`), so that a worker's next requeue is never taken for one of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from aml.contracts.events import Event
from aml.contracts.units import (
    AnswerGenerated,
    QuestionOpened,
    SampleIngested,
    SamplePlanned,
    SearchReturned,
    UnitParked,
    UnitRequeued,
)
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.contracts.vocabulary import Stage
from aml.rules.identity import subject_of

DETAIL = "no new fact for a while and nothing under way: asked for again by the ledger"

Progress = QuestionOpened | SearchReturned | AnswerGenerated
_STAGE_AFTER: dict[type[Progress], Stage] = {
    QuestionOpened: "retrieval",
    SearchReturned: "answer",
    AnswerGenerated: "scoring",
}


@dataclass
class _Units:
    samples: dict[str, SamplePlanned] = field(default_factory=dict)
    ingested: set[str] = field(default_factory=set)
    opened: dict[str, int] = field(default_factory=dict)
    """Questions opened, by sample."""
    furthest: dict[str, Progress] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    parked: set[tuple[str, Stage]] = field(default_factory=set)
    last: dict[tuple[str, Stage], UnitRequeued] = field(default_factory=dict)
    stalls: dict[tuple[str, Stage], int] = field(default_factory=dict)
    not_before: int = 0


def decide_stall_requeues(events: Iterable[Event], now_ms: int) -> tuple[UnitRequeued, ...]:
    """Empty while a requeue of the job is not yet due. `events` are the job's, in the order of the log."""
    units = _read(events)
    if units.not_before > now_ms:
        return ()
    requeues = [
        _requeue(units, sample.unit, "ingest", sample, now_ms)
        for sample in units.samples.values()
        if sample.unit not in units.ingested or units.opened.get(sample.unit, 0) < sample.questions
    ]
    requeues += [
        _requeue(units, unit, _STAGE_AFTER[type(event)], event, now_ms)
        for unit, event in units.furthest.items()
        if unit not in units.ended
    ]
    return tuple(each for each in requeues if each is not None)


def _read(events: Iterable[Event]) -> _Units:
    units = _Units()
    for event in events:
        match event:
            case SamplePlanned():
                units.samples[event.unit] = event
            case SampleIngested():
                units.ingested.add(event.unit)
            case QuestionOpened():
                units.opened[event.sample] = units.opened.get(event.sample, 0) + 1
                units.furthest.setdefault(event.unit, event)
            case SearchReturned() if not isinstance(units.furthest.get(event.unit), AnswerGenerated):
                units.furthest[event.unit] = event
            case AnswerGenerated():
                units.furthest[event.unit] = event
            case AnswerScored() | UnitUnscored():
                units.ended.add(event.unit)
            case UnitParked():
                units.parked.add((_unit_of(event), event.stage))
            case UnitRequeued():
                _read_requeue(units, event)
    return units


def _read_requeue(units: _Units, event: UnitRequeued) -> None:
    key = (_unit_of(event), event.stage)
    units.not_before = max(units.not_before, event.not_before)
    if "-stall-" in event.unit:
        units.stalls[key] = units.stalls.get(key, 0) + 1
    units.last[key] = event


def _requeue(units: _Units, unit: str, stage: Stage, trigger: Event, now_ms: int) -> UnitRequeued | None:
    key = (unit, stage)
    if key in units.parked:
        return None
    number = units.stalls.get(key, 0) + 1
    last = units.last.get(key)
    assert isinstance(trigger, SamplePlanned | Progress)
    return UnitRequeued(
        at=now_ms,
        job_id=trigger.job_id,
        unit=f"{unit}-{stage}-stall-{number}",
        stage=stage,
        requeue=last.requeue if last is not None else 0,
        trigger=subject_of(trigger),
        reason="internal",
        detail=DETAIL,
        not_before=now_ms,
        attempt_log=None,
    )


def _unit_of(event: UnitParked | UnitRequeued) -> str:
    return event.unit.partition(f"-{event.stage}-")[0]
