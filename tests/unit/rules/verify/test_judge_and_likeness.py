"""The two things that a gate takes from outside its job, from a bundle alone: the judge's calibration, and other results."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.factories.audited_logs import AuditedLog, release_folder, under
from tests.factories.events import a_digest, an_event
from tests.factories.finished_jobs import a_job

from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.release import ReleaseLocked
from aml.contracts.seals import GateCheck, GatePassed, GateRefused, JobSealed
from aml.rules.gate import EarlierPass, GateBundle, evaluate_gate
from aml.rules.verify import AuditReport, verify_bundle

DEMAND = f"""
[calibration]
answers = "answers-1"
sha256 = "{a_digest("answers")}"
threshold = 800000
"""


def a_log(*, demand: bool = False) -> AuditedLog:
    folder = release_folder(4)
    if demand:
        folder["release.toml"] += DEMAND.encode()
    log = AuditedLog(folder=folder)
    log.append(an_event(ReleaseLocked, release_digest=log.digest))
    return log


def run(log: AuditedLog, job_id: str, **request: Any) -> None:
    for event in a_job(job_id, **request):
        log.append(under(log, event))


def decide(
    log: AuditedLog, job_id: str, earlier: tuple[EarlierPass, ...] = (), *, measured: JudgeCalibrated | None = None, **claim: Any
) -> GatePassed | GateRefused:  # fmt: skip
    chain = log.jobs[job_id]
    log.append(an_event(JobSealed, job_id=job_id, entries=len(chain), last_leaf=chain[-1].leaf))
    again = evaluate_gate(
        GateBundle(
            entries=tuple(chain),
            release=log.release,
            locks=tuple(log.locks),
            earlier=earlier,
            calibrations=() if measured is None else ((1, measured),),
        )
    )
    fields: dict[str, Any] = {name: getattr(again, name) for name in ("subject", "seal", "result", "checks")} | claim
    said: GatePassed | GateRefused = (
        GatePassed(at=9, job_id=job_id, **({"sketch": again.sketch} | fields))
        if again.passed
        else GateRefused(at=9, job_id=job_id, **fields)
    )
    log.append(said)
    return said


def codes(report: AuditReport) -> list[str]:
    return [each.code for each in report.refusals]


def verified(log: AuditedLog, scope: str, *jobs: str) -> AuditReport:
    bundle = log.bundle(scope, jobs=jobs, opened=False)  # type: ignore[arg-type]
    return verify_bundle(bundle, log.keys)


@pytest.mark.parametrize("scope", ["cycle", "job"])
def test_the_judge_s_calibration_is_found_in_the_log(scope: str) -> None:
    log = a_log(demand=True)
    measured = an_event(JudgeCalibrated, release_digest=log.digest)
    log.append(measured)
    run(log, "job-1")
    assert isinstance(decide(log, "job-1", measured=measured), GatePassed)
    report = verified(log, scope, "job-1")
    assert report.verified, report.refusals


def test_a_pass_without_a_calibration_is_found_out() -> None:
    log = a_log(demand=True)
    run(log, "job-1")
    decide(log, "job-1", measured=an_event(JudgeCalibrated, release_digest=log.digest))
    assert codes(verified(log, "cycle")) == ["decision_differs", "checks_differ"]


def test_a_calibration_that_came_after_the_seal_does_not_count() -> None:
    log = a_log(demand=True)
    measured = an_event(JudgeCalibrated, release_digest=log.digest)
    run(log, "job-1")
    decide(log, "job-1", measured=measured)
    log.append(measured)
    assert "decision_differs" in codes(verified(log, "cycle"))


def test_another_sketch_than_the_entries_give_is_found_out() -> None:
    log = a_log()
    run(log, "job-1")
    decide(log, "job-1", sketch=an_event(GatePassed).sketch)
    assert codes(verified(log, "job", "job-1")) == ["sketch_differs"]


def two_like_results(log: AuditedLog, *, hide: bool = False) -> GateCheck:
    """The second job brings what the first one brought, under another key; `hide`: the ledger says nothing of it."""
    run(log, "job-1")
    first = decide(log, "job-1")
    assert isinstance(first, GatePassed)
    theirs = EarlierPass(index=len(log.bodies) - 1, job_id="job-1", subject=first.subject, sketch=first.sketch)
    for entry in list(log.jobs["job-1"]):
        if type(entry.event).__name__ not in ("JobSealed", "GatePassed"):
            changes: dict[str, Any] = {"job_id": "job-2"}
            if type(entry.event).__name__ == "JobRequested":
                changes |= {"key_id": "key-2", "version_id": "version-2"}
            log.append(replace(entry.event, **changes))
    second = decide(log, "job-2", () if hide else (theirs,))
    return next(check for check in second.checks if check.name == "duplicates")


def test_likeness_to_another_s_result_is_held_against_the_whole_log() -> None:
    log = a_log()
    check = two_like_results(log)
    assert (check.passed, check.code, check.found) == (True, "duplicate", "1000000 as in job-1")
    report = verified(log, "cycle")
    assert report.verified, report.refusals


def test_a_likeness_that_the_ledger_kept_quiet_about_is_found_in_the_whole_log() -> None:
    log = a_log()
    assert two_like_results(log, hide=True).code == "ok"
    assert codes(verified(log, "cycle")) == ["checks_differ"]


def test_a_bundle_of_one_job_needs_nobody_else_s_result_and_says_what_it_left_out() -> None:
    log = a_log()
    two_like_results(log)
    report = verified(log, "job", "job-2")
    assert report.verified, report.refusals
    gate = next(check for check in report.checks if check.name == "gate")
    assert (
        gate.detail
        == "1 decisions, as the gate makes them again; likeness to other people's results only with the whole log"
    )
