"""A log in which several jobs run at once, of one key and of two: each is judged with what stood before it."""

from typing import Any

from tests.factories.audited_logs import AuditedLog, release_folder, under
from tests.factories.events import an_event
from tests.factories.finished_jobs import a_job

from aml.contracts.release import ReleaseLocked
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
from aml.rules.entry import ReadEntry
from aml.rules.gate import GateBundle, evaluate_gate
from aml.rules.gate_duplicates import EarlierPass
from aml.rules.verify import verify_bundle


def a_shared_log() -> AuditedLog:
    log = AuditedLog(folder=release_folder(4))
    log.append(an_event(ReleaseLocked, release_digest=log.digest))
    return log


def interleave(log: AuditedLog, *jobs: list[Any]) -> None:
    for position in range(max(map(len, jobs))):
        for events in jobs:
            if position < len(events):
                log.append(under(log, events[position]))


def test_jobs_side_by_side() -> None:
    log = a_shared_log()
    interleave(log, *(a_job(f"job-{n}", version_id=f"version-{n}", key_id=f"key-{n}") for n in range(3)))
    for number in range(3):
        log.finish(f"job-{number}")
    report = verify_bundle(log.bundle(opened=False), log.keys)
    assert report.verified, report.refusals
    assert report.jobs == ("job-0", "job-1", "job-2")


def decided(log: AuditedLog, job_id: str, *, earlier: list[ReadEntry], history: list[ReadEntry]) -> ReadEntry:
    """As `finish`, with what the ledger would have looked at beside the job."""
    chain = log.jobs[job_id]
    log.append(an_event(JobSealed, job_id=job_id, entries=len(chain), last_leaf=chain[-1].leaf))
    passes = tuple(
        EarlierPass(index=each.index, job_id=each.event.job_id, subject=each.event.subject, sketch=each.event.sketch)
        for each in earlier
        if isinstance(each.event, GatePassed)
    )
    again = evaluate_gate(
        GateBundle(
            entries=tuple(log.jobs[job_id]),
            release=log.release,
            locks=tuple(log.locks),
            earlier=passes,
            history=tuple(history),
        )
    )
    kind = GatePassed if again.passed else GateRefused
    return log.append(
        kind(at=9, job_id=job_id, subject=again.subject, seal=again.seal, result=again.result, checks=again.checks)
    )


def test_a_version_that_passed_before_is_seen_in_every_scope() -> None:
    log = a_shared_log()
    interleave(log, a_job("job-1"))
    first = log.finish("job-1")
    before = list(log.jobs["job-1"])
    interleave(log, a_job("job-2", at=1_790_000_000_000))
    course = [each for each in before if type(each.event).__name__ in COURSE]
    first_add = next(each for each in before if type(each.event).__name__ == "ChunkAdded")
    second = decided(log, "job-2", earlier=[first], history=[course[0], first_add, *course[1:]])

    codes = {check.code for check in second.event.checks}  # type: ignore[union-attr]
    assert "already_passed" in codes

    for scope, jobs in (("cycle", ()), ("job", ("job-2",))):
        report = verify_bundle(log.bundle(scope, jobs=jobs, opened=False), log.keys)  # type: ignore[arg-type]
        assert report.verified, report.refusals


COURSE = ("JobRequested", "JobSealed", "GatePassed")


def test_a_job_bundle_holds_nothing_of_other_peoples_jobs() -> None:
    log = a_shared_log()
    interleave(log, *(a_job(f"job-{n}", version_id=f"version-{n}", key_id=f"key-{n}") for n in range(2)))
    for number in range(2):
        log.finish(f"job-{number}")
    bundle = log.bundle("job", jobs=("job-1",), opened=False)
    assert verify_bundle(bundle, log.keys).verified
    assert not any(b"job-0" in data for data in bundle.values())


def test_an_unfinished_job_is_no_fault() -> None:
    log = a_shared_log()
    interleave(log, a_job("job-1")[:6])
    report = verify_bundle(log.bundle(opened=False), log.keys)
    assert report.verified
    assert next(each.detail for each in report.checks if each.name == "gate").startswith("0 decisions")
