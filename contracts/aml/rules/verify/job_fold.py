"""Reads a log's entries in order and checks each job as it goes: chain, seal, and the gate's claim, then lets it go."""

from collections.abc import Collection
from dataclasses import dataclass, field

from aml.contracts.boards import BoardPublished, ReviewDecided
from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.envelope import JobFact
from aml.contracts.jobs import JobCancelled, JobFailed, JobRequested
from aml.contracts.release import ReleaseLocked
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
from aml.contracts.units import ChunkAdded
from aml.rules.entry import ReadEntry
from aml.rules.gate import BundleIncomplete, evaluate_gate

from .citations import Citation, citations
from .claim import differing_parts
from .findings import Findings
from .gate_context import GateContext

Claim = GatePassed | GateRefused

_OF_CONTEXT = (JobRequested, ChunkAdded, JobFailed, JobCancelled, JobSealed, GatePassed, GateRefused)
_NOTED = frozenset({*_OF_CONTEXT, ReviewDecided})
_CODES = {
    "decision": "decision_differs",
    "subject": "subject_differs",
    "seal": "seal_differs",
    "result": "aggregate_differs",
    "checks": "checks_differ",
    "sketch": "sketch_differs",
}


@dataclass(slots=True)
class _Job:
    entries: list[ReadEntry] | None = field(default_factory=list)
    """Until the claim was checked; None for a job of which only some entries are held."""
    count: int = 0
    last_leaf: str | None = None
    last_index: int = -1
    request: ReadEntry | None = None
    sealed: ReadEntry | None = None
    claimed: bool = False
    broken: bool = False


@dataclass(kw_only=True)
class LogFold:
    """`whole` are the jobs of which every entry comes; None when that is so of all. `opened`: whose citations are kept."""

    findings: Findings
    context: GateContext
    whole: Collection[str] | None
    opened: Collection[str] = ()
    claims: dict[str, ReadEntry] = field(default_factory=dict)
    reviews: dict[str, list[tuple[int, ReviewDecided]]] = field(default_factory=dict)
    published: dict[tuple[str, int], tuple[int, BoardPublished]] = field(default_factory=dict)
    cited: dict[str, dict[str, list[Citation]]] = field(default_factory=dict)
    claims_checked: int = 0
    _jobs: dict[str, _Job] = field(default_factory=dict)

    def take(self, entry: ReadEntry) -> None:
        event = entry.event
        if not isinstance(event, JobFact):
            self._take_free(entry)
            return
        job = self._jobs.get(event.job_id)
        if job is None:
            job = self._jobs[event.job_id] = _Job()
            if self.whole is not None and event.job_id not in self.whole:
                job.entries = None
        if job.entries is not None or job.claimed:
            if entry.job_seq != job.count or entry.prev != job.last_leaf:
                self._break(job, entry, event.job_id)
            job.count += 1
            job.last_leaf, job.last_index = entry.leaf, entry.index
            if job.entries is not None:
                job.entries.append(entry)
        if type(event) in _NOTED:
            self._note(job, entry, event)
        if event.job_id in self.opened:
            mine = self.cited.setdefault(event.job_id, {})
            for digest, citation in citations(entry):
                mine.setdefault(digest, []).append(citation)

    def damage(self, job_id: str | None) -> None:
        """An entry of this job could not be used: its chain cannot be judged any further."""
        if job_id is not None:
            self._jobs.setdefault(job_id, _Job()).broken = True

    def finish(self) -> tuple[str, ...]:
        """The jobs that were held whole. Refuses those that were promised and are not there."""
        for job_id in sorted(self.whole or ()):
            job = self._jobs.get(job_id)
            if job is None or job.request is None or job.sealed is None:
                missing = "entries" if job is None else "request" if job.request is None else "seal"
                self.findings.refuse("chains", "job_incomplete", f"job {job_id} has no {missing}", job=job_id)
        held = tuple(sorted(job_id for job_id, job in self._jobs.items() if job.count))
        self.findings.passed("chains", f"{len(held)} jobs, each entry naming the one before it")
        apart = "" if self.whole is None else "; likeness to other people's results only with the whole log"
        self.findings.passed("gate", f"{self.claims_checked} decisions, as the gate makes them again{apart}")
        return held

    def _take_free(self, entry: ReadEntry) -> None:
        match entry.event:
            case ReleaseLocked() | JudgeCalibrated():
                self.context.take(entry)
            case BoardPublished():
                self.published[entry.event.board_id, entry.event.version] = (entry.index, entry.event)
            case _:
                return

    def _note(self, job: _Job, entry: ReadEntry, event: JobFact) -> None:
        match event:
            case ReviewDecided():
                self.reviews.setdefault(event.job_id, []).append((entry.index, event))
                return
            case JobRequested():
                job.request = job.request or entry
            case JobSealed():
                self._seal(job, entry, event)
            case GatePassed() | GateRefused():
                self._claim(job, entry, event)
            case _:
                pass
        self.context.take(entry)
        if isinstance(event, GatePassed):
            self.context.take_pass(entry, event)

    def _seal(self, job: _Job, entry: ReadEntry, seal: JobSealed) -> None:
        job.sealed = job.sealed or entry
        if job.entries is None or job.broken:
            return
        before = len(job.entries) - 1
        if not 0 < seal.entries <= before:
            problem = f"entry {entry.index} seals {seal.entries} entries, and {before} stand before it"
        elif (last := job.entries[seal.entries - 1]).leaf != seal.last_leaf:
            problem = f"entry {entry.index} seals another leaf than that of entry {last.index}"
        else:
            return
        self._refuse_chain(job, "seal_differs", problem, entry.index, seal.job_id)

    def _claim(self, job: _Job, entry: ReadEntry, claim: Claim) -> None:
        if job.claimed:
            problem = f"entry {entry.index} is a second decision about job {claim.job_id}"
            self.findings.refuse("gate", "decided_twice", problem, entry=entry.index, job=claim.job_id)
            return
        self.claims[claim.job_id] = entry
        if job.entries is None:
            return
        entries, job.entries, job.claimed = job.entries, None, True
        if not job.broken:
            self._check_claim(job, entries, entry, claim)

    def _check_claim(self, job: _Job, entries: list[ReadEntry], entry: ReadEntry, claim: Claim) -> None:
        self.claims_checked += 1
        request = job.request.event if job.request is not None else None
        if job.sealed is None or not isinstance(request, JobRequested):
            self._refuse_claim("claim_without_seal", "decides about a job without request and seal", entry, claim)
            return
        inside = tuple(entries[: (job.sealed.job_seq or 0) + 1])
        try:
            again = evaluate_gate(self.context.bundle(inside, request, job.sealed))
        except BundleIncomplete as error:
            self._refuse_claim("claim_without_seal", str(error), entry, claim)
            return
        differing = differing_parts(again, claim, whole_log=self.whole is None)
        if differing and isinstance(claim, GatePassed) and self.context.release_of(request.release_digest) is None:
            problem = f"ran under release {request.release_digest}, whose files are not in the bundle"
            self._refuse_claim("release_missing", problem, entry, claim)
            return
        for part in differing:
            said = "passed" if again.passed else "refused"
            problem = (
                f"the gate would have {said}" if part == "decision" else f"its {part} is not what the entries give"
            )
            self._refuse_claim(_CODES[part], problem, entry, claim)

    def _refuse_claim(self, code: str, problem: str, entry: ReadEntry, claim: Claim) -> None:
        problem = f"entry {entry.index}, the decision about job {claim.job_id}: {problem}"
        self.findings.refuse("gate", code, problem, entry=entry.index, job=claim.job_id)

    def _break(self, job: _Job, entry: ReadEntry, job_id: str) -> None:
        """The first entry that is wrong: where two do not fit together, the earlier one may be it."""
        seq = entry.job_seq or 0
        if seq > job.count:
            problem = f"entry {entry.index} is number {seq} of job {job_id}, and number {job.count} is missing"
            self._refuse_chain(job, "chain_gap", problem, entry.index, job_id)
        elif seq < job.count:
            problem = f"entry {entry.index} is number {seq} of job {job_id}, which was there before"
            self._refuse_chain(job, "chain_repeated", problem, entry.index, job_id)
        else:
            problem = f"entry {entry.index} follows another entry of job {job_id} than entry {job.last_index} as it is"
            self._refuse_chain(job, "chain_broken", problem, max(0, job.last_index), job_id)
        job.count = seq

    def _refuse_chain(self, job: _Job, code: str, problem: str, index: int, job_id: str) -> None:
        if not job.broken:  # what follows from the first break is no news
            self.findings.refuse("chains", code, problem, entry=index, job=job_id)
        job.broken = True
