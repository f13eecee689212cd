"""One system's way onto the board, step by step over the gateway's API, each step waiting for the platform's real state."""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from aml.gateway.jobs.bodies import JobOrder
from aml.gateway.jobs.views import Job
from aml.gateway.keys.bodies import KeyOrder
from aml.gateway.operations.bodies import RunOrder
from aml.gateway.results.views import Results
from aml.toolkit.evaluation.follow_job import Patience, await_results, follow_job
from aml.toolkit.evaluation.progress import ProgressView, show_job
from aml.toolkit.evaluation.system_choice import Endpoints
from aml.toolkit.platform import Platform

from .cast import ADD_CONCURRENCY, CONFIRMED, SEARCH_CONCURRENCY, Baseline, Contender, application_of
from .errors import DemoFailed

APPROVAL = "every gate check passed, and every planned question was scored"


class StepFailed(DemoFailed):
    def __init__(self, system: str, step: str, problem: str) -> None:
        super().__init__(f"{system} did not get past {step}: {problem}")
        self.system = system
        self.step = step
        self.problem = problem


class Walked(Struct, frozen=True, kw_only=True):
    """How far a system came: all the way to an approved result."""

    system: str
    version: str
    version_id: str
    access_id: str | None
    """None for a baseline arm, which applies for nothing."""
    smoke: Results | None
    full: Results
    full_job: Job
    decision: str


class Guide(Struct, frozen=True, kw_only=True):
    """Whom the walk talks to. `public` has no key: it is where an applicant begins."""

    public: Platform
    operator: Platform
    reviewer: Platform
    view: ProgressView
    patience: Patience


async def make_guide(operator: Platform, view: ProgressView, patience: Patience) -> Guide:
    """The operator makes a reviewer's key, so that nobody decides on what they started."""
    key = await operator.create_key(KeyOrder(role="reviewer", label="demo reviewer"))
    return Guide(
        public=operator.as_caller(None),
        operator=operator,
        reviewer=operator.as_caller(key.key),
        view=view,
        patience=patience,
    )


async def walk_contender(guide: Guide, contender: Contender, endpoints: Endpoints, *, version: str) -> Walked:
    """Raises `StepFailed`, `JobStalled`, `JobParked`, `PlatformError`."""
    system = contender.system
    guide.view.show(system, "access request")
    requested = await guide.public.request_access(application_of(contender, endpoints, version=version))
    guide.view.show(system, "approval")
    await guide.reviewer.approve(requested.access_id, "an example of this project")
    guide.view.show(system, "key")
    applicant = guide.public.as_caller(requested.claim_token)
    key = await applicant.claim(requested.access_id)
    if key.version_id is None:
        raise StepFailed(system, "key", "the new key has no version bound to it")
    participant = guide.public.as_caller(key.key)
    smoke = await _run(guide, participant, system, _order(key.version_id, "smoke"))
    full = await _run(guide, participant, system, _order(key.version_id, "full"))
    return Walked(
        system=system,
        version=version,
        version_id=key.version_id,
        access_id=requested.access_id,
        smoke=smoke[1],
        full=full[1],
        full_job=full[0],
        decision=await _review(guide, system, full[1]),
    )


async def walk_baseline(guide: Guide, baseline: Baseline, *, version: str) -> Walked:
    """Raises as `walk_contender` does."""
    order = RunOrder(
        system=baseline.system,
        version=version,
        arm=baseline.arm,
        mode="full",
        run_label="demo full",
        add_concurrency=ADD_CONCURRENCY,
        search_concurrency=SEARCH_CONCURRENCY,
    )
    job, results = await _run(guide, guide.operator, baseline.system, order)
    return Walked(
        system=baseline.system,
        version=version,
        version_id=job.version_id,
        access_id=None,
        smoke=None,
        full=results,
        full_job=job,
        decision=await _review(guide, baseline.system, results),
    )


def _order(version_id: str, mode: str) -> JobOrder:
    checklist = CONFIRMED if mode == "full" else None
    return msgspec.convert(
        {
            "version_id": version_id,
            "mode": mode,
            "run_label": f"demo {mode}",
            "checklist": msgspec.to_builtins(checklist),
        },
        JobOrder,
    )


async def _run(guide: Guide, caller: Platform, system: str, order: JobOrder | RunOrder) -> tuple[Job, Results]:
    step = f"{order.mode} "
    guide.view.show(system, f"{step}queued")
    created = await (caller.create_job(order) if isinstance(order, JobOrder) else caller.create_run(order))
    job = await follow_job(
        guide.operator, created.job_id, patience=guide.patience, on_change=_showing(guide.view, system, step)
    )
    results = await await_results(caller, job.job_id)
    if job.state != "completed" or job.counts.unscored or results is None:
        raise StepFailed(system, order.mode, _why_incomplete(job))
    return job, results


def _showing(view: ProgressView, system: str, step: str) -> Callable[[Job], None]:
    return lambda job: show_job(view, system, job, prefix=step)


async def _review(guide: Guide, system: str, results: Results) -> str:
    guide.view.show(system, "gate")
    refused = [check for check in results.checks if not check.passed]
    if results.gate != "passed" or refused:
        said = "; ".join(f"{check.name} ({check.code}: {check.found})" for check in refused)
        raise StepFailed(system, "the gate", said or "it was refused")
    guide.view.show(system, "review")
    reviewed = await guide.reviewer.review(results.job_id, "approve", APPROVAL)
    guide.view.show(system, "publication")
    return reviewed.decision


def _why_incomplete(job: Job) -> str:
    if job.failure is not None:
        return f"job {job.job_id} failed in stage {job.failure.stage} ({job.failure.reason}): {job.failure.detail}"
    return f"job {job.job_id} is {job.state}, with {job.counts.unscored} of {job.counts.planned} questions unscored"
