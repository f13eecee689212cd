"""A job's story, one line an event, from its entries alone. Pure: the same entries give the same text anywhere."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from aml.contracts.boards import ReviewDecided
from aml.contracts.doctor import ContractChecked
from aml.contracts.envelope import JobFact
from aml.contracts.jobs import JobCancelled, JobFailed, JobPlanned, JobRequested
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
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
from aml.rules.entry import ReadEntry
from aml.rules.identity import event_name
from aml.toolkit.shown_text import shown

TEXT_LIMIT = 160


@dataclass
class _Counts:
    chunks: int = 0
    planned_chunks: int = 0
    questions: int = 0
    planned: int = 0
    searched: int = 0
    answered: int = 0
    scored: int = 0
    correct: int = 0
    unscored: int = 0


def replay(entries: Iterable[ReadEntry], until: int | None = None) -> Iterator[str]:
    """The first `until` entries of the job's chain, or all of them."""
    counts = _Counts()
    first: int | None = None
    for entry in entries:
        event = entry.event
        if not isinstance(event, JobFact) or (until is not None and (entry.job_seq or 0) >= until):
            continue
        first = event.at if first is None else first
        what = shown(_tell(event, counts), TEXT_LIMIT)
        after = (event.at - first) / 1000
        yield f"{entry.job_seq:>6}  log {entry.index:<8} {_clock(event.at)} {after:+10.3f} s  {what}"


def _tell(event: JobFact, counts: _Counts) -> str:
    match event:
        case JobRequested():
            datasets = ", ".join(f"{pin.name} {pin.version}" for pin in event.datasets)
            return (
                f"requested: {event.system} {event.version}, {event.mode} run of {datasets} under {event.release_id}"
                f" (arm {event.arm}, add {event.add_concurrency}, search {event.search_concurrency})"
            )
        case JobPlanned():
            counts.planned, counts.planned_chunks = event.questions, event.chunks
            return f"planned: {event.samples} samples, {event.chunks} chunks, {event.questions} questions"
        case JobFailed():
            return f"failed in {event.stage} ({event.reason}): {event.detail}"
        case JobCancelled():
            return f"cancelled by {event.cancelled_by}: {event.reason}"
        case JobSealed():
            return f"sealed {event.state}: {event.entries} entries, the last {event.last_leaf[:16]}…"
        case GatePassed() | GateRefused():
            return _gate(event)
        case ReviewDecided():
            return f"review {event.number} by {event.reviewer}: {event.decision} ({event.reason})"
        case ContractChecked():
            failed = [check.name for check in event.checks if check.outcome == "failed"]
            return f"contract {'kept' if event.passed else 'broken'}: {len(event.checks)} checks {' '.join(failed)}"
        case _:
            return _tell_unit(event, counts)


def _tell_unit(event: JobFact, counts: _Counts) -> str:
    match event:
        case SamplePlanned():
            return f"sample {event.sample_id}: {event.chunks} chunks, {event.questions} questions of {event.dataset}"
        case ChunkAdded():
            counts.chunks += 1
            return (
                f"added chunk {event.index} of {event.sample}: {event.messages} messages, {_call(event)}"
                f" [{counts.chunks}/{counts.planned_chunks}]"
            )
        case SampleIngested():
            return f"sample {event.unit} is written: {event.chunks} chunks"
        case QuestionOpened():
            counts.questions += 1
            return f"question {event.index} of {event.sample} is open [{counts.questions}/{counts.planned}]"
        case SearchReturned():
            counts.searched += 1
            return (
                f"searched {event.index} of {event.sample}: {event.returned} memories, {_call(event)}"
                f" [{counts.searched}/{counts.planned}]"
            )
        case AnswerGenerated():
            counts.answered += 1
            return (
                f"answered {event.index} of {event.sample} by {event.answerer}: {event.context_items} memories,"
                f" {event.prompt_tokens}+{event.completion_tokens} tokens [{counts.answered}/{counts.planned}]"
            )
        case AnswerScored():
            counts.scored += 1
            counts.correct += event.outcome == "correct"
            return (
                f"scored {event.index} of {event.sample}: {event.outcome} ({event.score / 10_000:.1f} %) by {event.rule},"
                f" {event.category} [{counts.correct} correct of {counts.scored}/{counts.planned}]"
            )
        case UnitUnscored():
            counts.unscored += 1
            return f"unscored {event.index} of {event.sample}: {event.reason} in {event.stage}, {event.detail}"
        case UnitRequeued():
            return f"requeued {event.stage} of {event.unit}, time {event.requeue}: {event.reason}, {event.detail}"
        case UnitParked():
            return f"parked {event.stage} of {event.unit}: {event.error}"
        case _:
            return f"{event_name(type(event))}: {msgspec.json.encode(event, order='sorted').decode()}"


def _gate(event: GatePassed | GateRefused) -> str:
    overall = event.result.overall
    score = "no Overall" if overall is None else f"Overall {overall / 10_000:.2f} %"
    codes = [check.code for check in event.checks if not check.passed]
    passed = f"{len(event.checks) - len(codes)} of {len(event.checks)} checks passed"
    said = "passed" if isinstance(event, GatePassed) else "refused"
    return f"gate {said}: {score}, {passed}{': ' + ', '.join(codes) if codes else ''}"


def _call(event: ChunkAdded | SearchReturned) -> str:
    tried = f", {event.attempts} attempts" if event.attempts > 1 else ""
    return f"{event.latency / 1000:.1f} ms{tried}"


def _clock(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
