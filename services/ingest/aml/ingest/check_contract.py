"""JobRequested of a smoke → ContractChecked, and JobFailed where the participant breaks the contract.

Only a participant that keeps it is planned for, and so a smoke that fails says which rule was broken instead of how the
first unit died of it. What a slow system does not answer within the budget is left to the run itself.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog

from aml.contracts.doctor import CheckReport, CheckResult, ContractChecked, DoctorReport
from aml.contracts.jobs import JobFailed, JobRequested
from aml.contracts.participant import ParticipantTarget
from aml.contracts.vocabulary import UnscoredReason
from aml.rules.identity import event_id, event_id_at, job_subject
from aml.rules.requeue import DETAIL_LIMIT
from aml.runtime.bus import Bus
from aml.runtime.clock import Clock
from aml.runtime.doctor import PATIENCE, Subject, examine, first_failure
from aml.runtime.evidence import EvidenceStore
from aml.runtime.participant.client import ParticipantClient
from aml.runtime.participants import Participants
from aml.runtime.publish_once import publish_once
from aml.runtime.secret import Secret
from aml.runtime.vault import SecretUnavailable

log = structlog.get_logger()

BUDGET_SECONDS: Final = 120.0
AT_ONCE: Final = 8
"""Participants that are examined at a time, so that a slow one holds up nobody."""

_REASONS: Final[dict[str, UnscoredReason]] = {
    "transport": "transport",
    "tls": "transport",
    "authentication": "authentication",
    "limit": "limit",
}
"""Of a failed check's code; any other is a broken contract."""


_KEY_GONE: Final = "the memory system key of this version cannot be opened; bind it again"


def is_examined(requested: JobRequested) -> bool:
    return requested.mode == "smoke" and requested.arm == "participant"


@dataclass(frozen=True)
class ContractChecker:
    bus: Bus
    evidence: EvidenceStore
    clock: Clock
    participants: Participants
    ended: Callable[[str], bool]
    budget_seconds: float = BUDGET_SECONDS

    async def check(self, requested: JobRequested) -> None:
        """Idempotent: an examination that has its fact is not repeated. Raises `EvidenceUnavailable`."""
        job_id = requested.job_id
        known = await self.bus.last_event(job_subject(job_id, ContractChecked))
        if isinstance(known, ContractChecked):
            report = await self.evidence.open_json(job_id, event_id(known), known.report, DoctorReport)
        else:
            try:
                report = await self._examine(requested)
            except SecretUnavailable:
                await publish_once(self.bus, self._failed(job_id, "internal", _KEY_GONE))
                return
            if self.ended(job_id):
                return
            await publish_once(self.bus, await self._checked(job_id, report))
        if not report.passed:
            broken = next(check for check in report.checks if check.outcome == "failed")
            reason = _REASONS.get(broken.code, "contract")
            await publish_once(self.bus, self._failed(job_id, reason, first_failure(report) or ""))
        log.info("job.contract_checked", job_id=job_id, passed=report.passed, took_ms=report.took // 1000)

    async def _examine(self, requested: JobRequested) -> DoctorReport:
        release, _ = self.participants.release_of(requested.release_id)
        target, secret = await self.participants.access_of(requested)

        def connect(target: ParticipantTarget, secret: Secret | None) -> ParticipantClient:
            return self.participants.connect(requested, release, PATIENCE, target, secret)

        subject = Subject(
            target=target,
            secret=secret,
            track=requested.track,
            top_k=requested.top_k,
            add_concurrency=max(1, requested.add_concurrency),
            search_concurrency=max(1, requested.search_concurrency),
        )
        return await examine(
            subject,
            connect,
            run=f"{requested.job_id}-{secrets.token_hex(3)}",
            clock=self.clock,
            budget_seconds=self.budget_seconds,
        )

    async def _checked(self, job_id: str, report: DoctorReport) -> ContractChecked:
        cited_by = event_id_at(job_subject(job_id, ContractChecked))
        return ContractChecked(
            at=self.clock.now_ms(),
            job_id=job_id,
            passed=report.passed,
            checks=tuple(_result(check) for check in report.checks),
            report=await self.evidence.put_json(job_id, cited_by, report),
        )

    def _failed(self, job_id: str, reason: UnscoredReason, detail: str) -> JobFailed:
        return JobFailed(
            at=self.clock.now_ms(),
            job_id=job_id,
            stage="ingest",
            reason=reason,
            detail=detail[:DETAIL_LIMIT],
            attempt_log=None,
        )


def _result(check: CheckReport) -> CheckResult:
    return CheckResult(name=check.name, outcome=check.outcome, code=check.code)
