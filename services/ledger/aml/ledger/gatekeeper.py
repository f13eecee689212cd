"""Loads a sealed job's bundle, runs the gate, and states its decision as a fact."""

import asyncio
from collections.abc import Callable, Iterable, Sequence

from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.jobs import JobRequested
from aml.contracts.release import Release, ReleaseLocked
from aml.contracts.seals import GatePassed, GateRefused
from aml.rules.entry import ReadEntry, read_entry
from aml.rules.gate import EarlierPass, GateBundle, GateDecision, evaluate_gate

from . import queries
from .database import Connection

ReleaseOf = Callable[[str], tuple[Release, str] | None]
"""Release id to release and digest; None where there is none."""


async def load_decision(
    connection: Connection, job_id: str, sealed_idx: int, release_of: ReleaseOf, now_ms: int
) -> GatePassed | GateRefused:
    """Raises `BundleIncomplete` for a job that was never requested."""
    bodies = await queries.load_job_bodies(connection, job_id, sealed_idx)
    # 15 µs an entry: a job of 10^5 entries would keep the loop from everything else for seconds.
    entries = await asyncio.to_thread(_read_all, bodies)
    locks = _read_all(await queries.load_lock_bodies(connection, sealed_idx))
    passes = _read_all(await queries.load_earlier_pass_bodies(connection, sealed_idx))
    history = await _load_history(connection, entries)
    bundle = bundle_of(entries, locks, passes, history, release_of)
    decision = await asyncio.to_thread(evaluate_gate, bundle)
    return decision_event(decision, job_id, now_ms)


def bundle_of(
    entries: tuple[ReadEntry, ...],
    locks: Iterable[ReadEntry],
    passes: Iterable[ReadEntry],
    history: tuple[ReadEntry, ...],
    release_of: ReleaseOf,
) -> GateBundle:
    request = _request(entries)
    request_event = request.event if request is not None else None
    release_id = request_event.release_id if isinstance(request_event, JobRequested) else ""
    digest = request_event.release_digest if isinstance(request_event, JobRequested) else ""
    known = release_of(release_id) if release_id else None
    return GateBundle(
        entries=entries,
        # A folder that was changed since the job ran is another contract, though it has the same name.
        release=known[0] if known is not None and known[1] == digest else None,
        locks=tuple(
            (entry.index, entry.event)
            for entry in locks
            if isinstance(entry.event, ReleaseLocked) and entry.event.release_id == release_id
        ),
        earlier=tuple(
            EarlierPass(
                index=entry.index, job_id=entry.event.job_id, subject=entry.event.subject, sketch=entry.event.sketch
            )
            for entry in passes
            if isinstance(entry.event, GatePassed)
        ),
        history=history,
        calibrations=tuple(
            (entry.index, entry.event)
            for entry in locks
            if isinstance(entry.event, JudgeCalibrated) and entry.event.release_id == release_id
        ),
    )


def decision_event(decision: GateDecision, job_id: str, now_ms: int) -> GatePassed | GateRefused:
    if not decision.passed:
        return GateRefused(
            at=now_ms,
            job_id=job_id,
            subject=decision.subject,
            seal=decision.seal,
            result=decision.result,
            checks=decision.checks,
        )
    return GatePassed(
        at=now_ms,
        job_id=job_id,
        subject=decision.subject,
        seal=decision.seal,
        result=decision.result,
        checks=decision.checks,
        sketch=decision.sketch,
    )


async def _load_history(connection: Connection, entries: Sequence[ReadEntry]) -> tuple[ReadEntry, ...]:
    """The requests of the same key before this one, then how those jobs went until then."""
    mine = _request(entries)
    if mine is None or not isinstance(mine.event, JobRequested):
        return ()
    key_id = mine.event.key_id
    requests = [
        entry
        for entry in _read_all(await queries.load_earlier_request_bodies(connection, mine.index))
        if isinstance(entry.event, JobRequested) and entry.event.key_id == key_id
    ]
    job_ids = [entry.event.job_id for entry in requests if isinstance(entry.event, JobRequested)]
    return (*requests, *_read_all(await queries.load_outcome_bodies(connection, job_ids, mine.index)))


def _request(entries: Iterable[ReadEntry]) -> ReadEntry | None:
    return next((entry for entry in entries if isinstance(entry.event, JobRequested)), None)


def _read_all(bodies: Iterable[bytes]) -> tuple[ReadEntry, ...]:
    return tuple(map(read_entry, bodies))
