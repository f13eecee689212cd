"""What the gate looks at beside a job's own entries, gathered while the log is read in its order."""

from collections.abc import Callable
from dataclasses import dataclass, field

from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.envelope import JobFact
from aml.contracts.jobs import JobRequested
from aml.contracts.release import Release, ReleaseLocked
from aml.contracts.seals import GatePassed, JobSealed
from aml.contracts.units import ChunkAdded
from aml.rules.entry import ReadEntry
from aml.rules.gate import GateBundle
from aml.rules.gate_duplicates import EarlierPass

ReleaseOf = Callable[[str], Release | None]
"""Digest of a release's folder to the release."""


@dataclass
class GateContext:
    release_of: ReleaseOf
    locks: list[tuple[int, ReleaseLocked]] = field(default_factory=list)
    calibrations: list[tuple[int, JudgeCalibrated]] = field(default_factory=list)
    _sealed_at: dict[str, int] = field(default_factory=dict)
    _passes: list[tuple[int, EarlierPass]] = field(default_factory=list)
    """With the index of the job's seal: only what was sealed earlier counts as earlier."""
    _by_key: dict[str, list[ReadEntry]] = field(default_factory=dict)
    _key_of: dict[str, str] = field(default_factory=dict)
    _before: dict[str, int] = field(default_factory=dict)
    """How much of its key's list stood before a job's request."""
    _added: set[str] = field(default_factory=set)

    def take(self, entry: ReadEntry) -> None:
        """Locks, calibrations, requests, first Adds and ends; the order is the log's."""
        match entry.event:
            case ReleaseLocked():
                self.locks.append((entry.index, entry.event))
            case JudgeCalibrated():
                self.calibrations.append((entry.index, entry.event))
            case JobRequested():
                mine = self._by_key.setdefault(entry.event.key_id, [])
                self._before[entry.event.job_id] = len(mine)
                self._key_of[entry.event.job_id] = entry.event.key_id
                mine.append(entry)
            case ChunkAdded():
                if entry.event.job_id not in self._added:
                    self._added.add(entry.event.job_id)
                    self._outcome(entry.event.job_id, entry)
            case JobFact():
                if isinstance(entry.event, JobSealed):
                    self._sealed_at[entry.event.job_id] = entry.index
                self._outcome(entry.event.job_id, entry)
            case _:
                return

    def take_pass(self, entry: ReadEntry, claim: GatePassed) -> None:
        sealed_at = self._sealed_at.get(claim.job_id, entry.index)
        earlier = EarlierPass(index=entry.index, job_id=claim.job_id, subject=claim.subject, sketch=claim.sketch)
        self._passes.append((sealed_at, earlier))

    def bundle(self, entries: tuple[ReadEntry, ...], request: JobRequested, sealed: ReadEntry) -> GateBundle:
        """`entries` are the job's up to its seal."""
        return GateBundle(
            entries=entries,
            release=self.release_of(request.release_digest),
            locks=tuple(
                (index, lock)
                for index, lock in self.locks
                if lock.release_id == request.release_id and index < sealed.index
            ),
            earlier=tuple(earlier for sealed_at, earlier in self._passes if sealed_at < sealed.index),
            calibrations=tuple(
                (index, each)
                for index, each in self.calibrations
                if each.release_id == request.release_id and index < sealed.index
            ),
            history=tuple(self._by_key.get(request.key_id, ())[: self._before.get(request.job_id, 0)]),
        )

    def _outcome(self, job_id: str, entry: ReadEntry) -> None:
        if (key := self._key_of.get(job_id)) is not None:
            self._by_key[key].append(entry)
