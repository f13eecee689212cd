"""`aml run` from beginning to end: place the bundles, have a system and a stack, create the run or find it, follow it."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from aml.gateway.views import Job
from aml.toolkit.local import LocalStack, StackInfo
from aml.toolkit.local.home import Layout, make_home
from aml.toolkit.platform_client import Platform, PlatformError

from .errors import EvaluationError, WrongUsage
from .example_participant import ExampleParticipant, start_example
from .follow_job import Patience, await_results, follow_job
from .health_check import check_health
from .log_reader import CheckpointShown, LogUnreadable, read_checkpoint, read_verifier
from .place_bundle import PlacedBundle, place_bundle
from .progress import ProgressView, show_job
from .result_shown import count_planned, count_unscored, show_result
from .run_outcome import RunOutcome, run_outcome
from .run_plan import RunPlan, order_of, shown_system
from .run_record import RunRecord, SystemShown, keep_record, load_record, runs_folder
from .stack_lease import lease_stack
from .system_choice import ExampleSystem, endpoints_at

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
    """What the foreground knows of a run whose work is under way."""

    example: ExampleParticipant | None
    job_id: str | None = None


def evaluate(plan: RunPlan, stack: LocalStack, view: ProgressView, *, keep: bool) -> RunOutcome:
    """Raises `EvaluationError`, `BenchmarkError`, `PlatformError`, `LocalStackError`, `RunInterrupted`."""
    layout = make_home(stack.layout.home)
    bundles = tuple(_place(choice, layout.datasets, view) for choice in plan.datasets)
    attended = _Attended(_start_example(plan, layout))
    endpoints = (
        endpoints_at(attended.example.base_url) if attended.example is not None else plan.system.endpoints  # type: ignore[union-attr]  # only an example has none
    )
    system = shown_system(plan, endpoints)

    async def work(info: StackInfo) -> RunOutcome:
        async with _operator(info) as platform:
            await _require_release(platform, plan.release_id)
            job = await platform.create_run(order_of(plan, endpoints, bundles))
            attended.job_id = job.job_id
            keep_record(layout, RunRecord(job_id=job.job_id, system=system, example=attended.example))
            return await _finish(platform, info, job.job_id, system, view)

    with _stopped_on_error(attended):
        check_health(endpoints.health_url)
    return _attend(attended, stack, work, view, keep=keep)


def resume(job_id: str, stack: LocalStack, view: ProgressView, *, keep: bool) -> RunOutcome:
    """Goes on with a stored run, or shows it again when it is finished. Raises as `evaluate` does."""
    layout = stack.layout
    record = load_record(layout, job_id)
    attended = _Attended(_revive(record, layout), job_id)

    async def work(info: StackInfo) -> RunOutcome:
        async with _operator(info) as platform:
            return await _finish(platform, info, job_id, record.system, view)

    return _attend(attended, stack, work, view, keep=keep)


def _attend(
    attended: _Attended,
    stack: LocalStack,
    work: Callable[[StackInfo], Awaitable[RunOutcome]],
    view: ProgressView,
    *,
    keep: bool,
) -> RunOutcome:
    """An example lives as long as it is needed: until its run is finished, or as long as the stack that still calls it."""
    example = attended.example
    try:
        view.say(f"local stack in {stack.layout.home}")
        with lease_stack(stack, keep=keep) as lease:
            try:
                outcome = asyncio.run(_awaited(work(lease.info)))
            except KeyboardInterrupt:
                if attended.job_id is None:
                    raise
                raise RunInterrupted(attended.job_id, goes_on=lease.stays) from None
    except RunInterrupted as interrupted:
        if example is not None and not interrupted.goes_on:
            example.stop()
        raise
    except (EvaluationError, PlatformError) as error:
        _stop(example)
        if attended.job_id is None or isinstance(error, JobRejected):
            raise
        raise RunUnfinished(attended.job_id, str(error)) from error
    except BaseException:
        _stop(example)
        raise
    if example is not None:
        example.stop()
        example.forget()
    return outcome


async def _awaited(work: Awaitable[RunOutcome]) -> RunOutcome:
    return await work


async def _finish(
    platform: Platform, info: StackInfo, job_id: str, system: SystemShown, view: ProgressView
) -> RunOutcome:
    patience = Patience(logs=info.home / "logs")
    job = await follow_job(platform, job_id, patience=patience, on_change=lambda now: show_job(view, system.label, now))
    results = await await_results(platform, job_id)
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


def _place(choice: object, datasets: Path, view: ProgressView) -> PlacedBundle:
    bundle = place_bundle(choice, datasets)  # type: ignore[arg-type]
    if bundle.questions is not None:
        view.say(
            f"{bundle.name}: {bundle.samples:,} samples, {bundle.questions:,} questions, sha256 {bundle.sha256[:16]}…"
        )
    return bundle


def _start_example(plan: RunPlan, layout: Layout) -> ExampleParticipant | None:
    if not isinstance(plan.system, ExampleSystem):
        return None
    folder = runs_folder(layout)
    folder.mkdir(exist_ok=True, mode=0o700)
    name = f"{plan.system.name}-{secrets.token_hex(4)}"
    return start_example(plan.system.name, layout.log_file(f"example-{name}"), data=folder / f"{name}.data")


def _revive(record: RunRecord, layout: Layout) -> ExampleParticipant | None:
    """The run's example, running: the very process, or a new one with the same memory at the same address."""
    example = record.example
    if example is None or example.alive:
        return example
    again = start_example(example.name, example.log_file, data=example.data, port=example.port)
    keep_record(layout, RunRecord(job_id=record.job_id, system=record.system, example=again))
    return again


@contextlib.contextmanager
def _stopped_on_error(attended: _Attended):  # type: ignore[no-untyped-def]
    try:
        yield
    except BaseException:
        _stop(attended.example)
        raise


def _stop(example: ExampleParticipant | None) -> None:
    if example is not None:
        example.stop()
