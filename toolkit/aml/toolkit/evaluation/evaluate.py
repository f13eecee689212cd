"""`aml run` from beginning to end: place the bundles, have a system and a stack, create the run or find it, follow it."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path

from aml.gateway.jobs.views import Job
from aml.toolkit.local import LocalStack, StackInfo
from aml.toolkit.local.home import Layout, make_home
from aml.toolkit.platform import Platform, PlatformError

from .dataset_choice import DatasetChoice
from .errors import EvaluationError, WrongUsage
from .example_participant import ExampleParticipant, start_example
from .follow_job import JobParked, JobStalled, Patience, await_results, follow_job
from .health_check import check_health
from .log_reader import CheckpointShown, LogUnreadable, read_checkpoint, read_verifier
from .place_bundle import PlacedBundle, place_bundle
from .progress import ProgressView, show_job
from .result_shown import count_planned, count_unscored, show_result
from .run_outcome import RunOutcome, run_outcome
from .run_plan import RunPlan, order_of, shown_system
from .run_record import RunRecord, SystemShown, keep_record, load_record, runs_folder
from .stack_lease import lease_stack
from .system_choice import Endpoints, HostedSystem, SystemChoice, endpoints_at

SHOWN_UNSCORED = 5


class JobRejected(EvaluationError):
    def __init__(self, job: Job) -> None:
        detail = job.failure.detail if job.failure else "no reason was given"
        super().__init__(f"the platform could not plan the run: {detail}")
        self.job = job


class RunUnfinished(EvaluationError):
    """Something broke while the run was under way; what it has reached is stored."""

    def __init__(self, job_id: str, problem: str) -> None:
        super().__init__(f"{problem}; what is done of {job_id} is stored")
        self.job_id = job_id


class RunInterrupted(Exception):
    """By Ctrl-C. The run is stored, and goes on by itself where the stack stays."""

    def __init__(self, job_id: str, *, goes_on: bool) -> None:
        super().__init__(job_id)
        self.job_id = job_id
        self.goes_on = goes_on


@dataclass
class _Attended:
    """A run in the foreground: what has to be put away when it ends, however it ends."""

    layout: Layout
    view: ProgressView
    example: ExampleParticipant | None
    job_id: str | None = None

    def record(self, system: SystemShown, example: ExampleParticipant | None) -> None:
        assert self.job_id is not None
        keep_record(self.layout, RunRecord(job_id=self.job_id, system=system, example=example))

    def stop(self, *, forget: bool) -> None:
        if self.example is not None:
            self.example.stop()
            if forget:
                self.example.forget()


def evaluate(plan: RunPlan, stack: LocalStack, view: ProgressView, *, keep: bool) -> RunOutcome:
    """Raises `EvaluationError`, `BenchmarkError`, `PlatformError`, `LocalStackError`, `RunInterrupted`."""
    layout = make_home(stack.layout.home)
    bundles = tuple(_place(choice, layout.datasets, view) for choice in plan.datasets)
    example, endpoints = _reach(plan.system, layout)
    attended = _Attended(layout, view, example)
    system = shown_system(plan, endpoints)

    async def work(info: StackInfo) -> RunOutcome:
        async with _operator(info) as platform:
            await _require_release(platform, plan.release_id)
            job = await platform.create_run(order_of(plan, endpoints, bundles))
            attended.job_id = job.job_id
            attended.record(system, example)
            return await _finish(platform, info, attended, system)

    return _attend(attended, stack, work, keep=keep)


def resume(job_id: str, stack: LocalStack, view: ProgressView, *, keep: bool) -> RunOutcome:
    """Goes on with a stored run, or shows it again when it is finished. Raises as `evaluate` does."""
    record = load_record(stack.layout, job_id)
    attended = _Attended(stack.layout, view, _revive(record), job_id)
    attended.record(record.system, attended.example)

    async def work(info: StackInfo) -> RunOutcome:
        async with _operator(info) as platform:
            return await _finish(platform, info, attended, record.system)

    return _attend(attended, stack, work, keep=keep)


def _attend(
    attended: _Attended,
    stack: LocalStack,
    work: Callable[[StackInfo], Coroutine[None, None, RunOutcome]],
    *,
    keep: bool,
) -> RunOutcome:
    """An example lives until its run is finished, or as long as the stack that still calls it."""
    try:
        with lease_stack(stack, keep=keep) as lease:
            attended.view.say(f"local stack in {lease.info.home}")
            try:
                outcome = asyncio.run(work(lease.info))
            except KeyboardInterrupt:
                if attended.job_id is None:
                    raise
                raise RunInterrupted(attended.job_id, goes_on=lease.stays) from None
    except RunInterrupted as interrupted:
        if not interrupted.goes_on:
            attended.stop(forget=False)
        raise
    except (JobStalled, JobParked, LogUnreadable, PlatformError) as error:
        attended.stop(forget=attended.job_id is None)
        if attended.job_id is None:
            raise
        raise RunUnfinished(attended.job_id, str(error)) from error
    except BaseException:
        attended.stop(forget=attended.job_id is None)
        raise
    attended.stop(forget=True)
    return outcome


async def _finish(platform: Platform, info: StackInfo, attended: _Attended, system: SystemShown) -> RunOutcome:
    view, job_id = attended.view, attended.job_id
    assert job_id is not None
    patience = Patience(logs=info.home / "logs")
    job = await follow_job(platform, job_id, patience=patience, on_change=lambda now: show_job(view, system.label, now))
    results = await await_results(platform, job_id)
    attended.record(system, None)  # nothing is left to resume
    if results is None or (job.failure is not None and job.counts.planned is None):
        raise JobRejected(job)
    shown = show_result(results.result)
    view.finish(system.label, f"{count_planned(shown):,} questions, {count_unscored(shown):,} unscored")
    unscored = await platform.questions(job_id, "unscored", limit=SHOWN_UNSCORED)
    return run_outcome(job, system, results, unscored=unscored.questions, checkpoint=await _checkpoint(info, view))


async def _checkpoint(info: StackInfo, view: ProgressView) -> CheckpointShown | None:
    """A private run is not published, so a ledger that is away for a moment takes nothing from its result."""
    try:
        key = read_verifier(Layout(info.home).verifier_file)
        return await read_checkpoint(f"http://127.0.0.1:{info.ports['ledger']}", key)
    except LogUnreadable as error:
        view.say(f"note: {error}")
        return None


async def _require_release(platform: Platform, release_id: str) -> None:
    offered = [release.release_id for release in (await platform.releases()).releases]
    if release_id not in offered:
        raise WrongUsage("--release", f"there is no release {release_id!r}; offered are {', '.join(offered)}")


def _operator(info: StackInfo) -> Platform:
    return Platform(info.portal, info.operator_key_file.read_text("ascii").strip())


def _place(choice: DatasetChoice, datasets: Path, view: ProgressView) -> PlacedBundle:
    bundle = place_bundle(choice, datasets)
    if bundle.questions is not None:
        view.say(
            f"{bundle.name}: {bundle.samples:,} samples, {bundle.questions:,} questions, sha256 {bundle.sha256[:16]}…"
        )
    return bundle


def _reach(system: SystemChoice, layout: Layout) -> tuple[ExampleParticipant | None, Endpoints]:
    """Where the system is, healthy; an example is started first. Raises `ExampleFailed`, `SystemUnhealthy`."""
    if isinstance(system, HostedSystem):
        check_health(system.endpoints.health_url)
        return None, system.endpoints
    folder = runs_folder(layout)
    folder.mkdir(exist_ok=True, mode=0o700)
    name = f"{system.name}-{secrets.token_hex(4)}"
    example = start_example(system.name, layout.log_file(f"example-{name}"), data=folder / f"{name}.data")
    return example, endpoints_at(example.base_url)


def _revive(record: RunRecord) -> ExampleParticipant | None:
    """The run's example, running: the very process, or a new one with the same memory at the same address."""
    example = record.example
    if example is None or example.alive:
        return example
    return start_example(example.name, example.log_file, data=example.data, port=example.port)
