"""One bundle, one agent, one job: served, ordered, followed to its end, and read question by question."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

import msgspec
from msgspec import Struct, field

from aml.gateway.access.bodies import Endpoints
from aml.gateway.jobs.views import Job
from aml.gateway.operations.bodies import RunDataset, RunOrder
from aml.gateway.results.views import QuestionFile, Results
from aml.rules.identity import unit_of
from aml.toolkit.agents.agent import Agent, SamplingOutcome
from aml.toolkit.agents.attendance import Attendance, Remembering
from aml.toolkit.agents.demands import Demands, agree
from aml.toolkit.agents.errors import AgentCannot
from aml.toolkit.agents.fresh_agent import tell_sampling
from aml.toolkit.agents.history_form import HistoryForm, PlainHistory
from aml.toolkit.agents.in_time import ANSWER_SECONDS
from aml.toolkit.agents.injected import Injected
from aml.toolkit.agents.lived_through import LivedThrough
from aml.toolkit.agents.loopback import LARGEST_ANSWER, LARGEST_FINDINGS, Loopback, serve_loopback
from aml.toolkit.agents.memory_system import MemorySystem
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.follow_job import Patience, await_results, follow_job
from aml.toolkit.evaluation.log_reader import CheckpointShown
from aml.toolkit.evaluation.place_bundle import link_bundle
from aml.toolkit.evaluation.run_plan import default_label
from aml.toolkit.platform import Platform
from aml.toolkit.shown_text import one_line

from .agent_bundle import AgentBundle, AskedQuestions
from .errors import JobUnplanned
from .platform_access import PlatformAccess
from .run_progress import OnProgress, progress_of

AGENT_RELEASE: Final = "toolkit"
MEMORY_RELEASE: Final = "toolkit-memory"
POLL_SECONDS: Final = 0.05
SLOW_POLL_SECONDS: Final = 0.25
SMALL: Final = 300
"""Questions up to which a run is over so soon that it is worth asking often."""
ADDS_AT_ONCE: Final = 16
CANCEL_SECONDS: Final = 3.0


class RunSettings(Struct, frozen=True, kw_only=True):
    release_id: str | None = None
    """None for the one that fits the system: an agent answers itself, a memory's findings are answered from."""
    demands: Demands = field(default_factory=Demands)
    form: HistoryForm | None = None
    """None for `PlainHistory`."""
    language: str = "en"
    answer_seconds: float | None = None
    """For each answer of the agent; None for `ANSWER_SECONDS`."""


class BundleRun(Struct, frozen=True, kw_only=True):
    job: Job
    results: Results
    files: Mapping[str, QuestionFile]
    """By question id. A question that the job never came to has none."""
    failures: Mapping[str, str]
    """Question id to what the agent raised; it stays in this process."""
    checkpoint: CheckpointShown | None
    sampling: SamplingOutcome
    started_at: datetime
    seconds: float


async def run_bundle(
    system: Agent | MemorySystem,
    bundle: AgentBundle,
    asked: AskedQuestions,
    access: PlatformAccess,
    settings: RunSettings,
    *,
    on_progress: OnProgress | None = None,
    repeat: int = 0,
) -> BundleRun:
    """Raises `AgentCannot` before the first call, `EvaluationError`, `PlatformError`.

    An interruption cancels the job: without its agent it could only fail, question by question.
    """
    began, started_at = time.monotonic(), datetime.now(UTC)
    attendance, sampling = await attend(system, asked, settings)
    place = access.datasets / bundle.sha256
    if not place.is_file():
        await asyncio.to_thread(link_bundle, bundle.path, place)
    poll = POLL_SECONDS if len(asked.by_id) <= SMALL else SLOW_POLL_SECONDS
    async with (
        serve_loopback(
            attendance,
            host=access.agent_host,
            largest_reply=LARGEST_FINDINGS if isinstance(system, MemorySystem) else LARGEST_ANSWER,
        ) as loopback,
        access.platform() as platform,
    ):
        order = order_of(system, bundle, loopback, settings, started_at)
        await _require_release(platform, order.release_id or "")
        job = await platform.create_run(order)
        try:
            job = await follow_job(
                platform,
                job.job_id,
                patience=Patience(logs=access.logs, poll_seconds=poll),
                on_change=lambda now: on_progress(progress_of(now, repeat)) if on_progress else None,
            )
            results = await await_results(platform, job.job_id, poll_seconds=poll)
        except asyncio.CancelledError:
            await _cancel(platform, job.job_id)
            raise
        if results is None or (job.failure is not None and job.counts.planned is None):
            raise JobUnplanned(job)
        files, checkpoint = await asyncio.gather(_files(platform, job.job_id, bundle, asked), access.checkpoint())
        return BundleRun(
            job=job,
            results=results,
            files=files,
            failures=_failures(asked, loopback),
            checkpoint=checkpoint,
            sampling=sampling,
            started_at=started_at,
            seconds=round(time.monotonic() - began, 3),
        )


async def attend(
    system: Agent | MemorySystem, asked: AskedQuestions, settings: RunSettings
) -> tuple[Attendance, SamplingOutcome]:
    """Who answers the platform's calls. Raises `AgentCannot`."""
    demands, seconds = settings.demands, settings.answer_seconds or ANSWER_SECONDS
    if isinstance(system, MemorySystem):
        if demands.samples or demands.mode == "live":
            advice = "leave temperature, seed and mode='live' out: the release answers from what the memory returns"
            raise AgentCannot(system.name, "be told how to answer", advice)
        return Remembering(system, seconds=seconds), "not_requested"
    terms = agree(system, demands)
    sampling = await tell_sampling(system, demands)
    form = settings.form or PlainHistory(language=settings.language, dates=terms.dates_in_text)
    way = LivedThrough if terms.mode == "live" else Injected
    return way(system, terms, demands, form, asked.asked_at, seconds=seconds), sampling


def order_of(
    system: Agent | MemorySystem, bundle: AgentBundle, loopback: Loopback, settings: RunSettings, now: datetime
) -> RunOrder:
    base = loopback.base_url
    return RunOrder(
        system=one_line(system.name)[:120] or "agent",
        arm="participant",
        mode="run",
        endpoints=Endpoints(add_url=f"{base}/add", search_url=f"{base}/search", health_url=f"{base}/health"),
        datasets=(RunDataset(name=bundle.name, adapter=bundle.adapter, version="1", sha256=bundle.sha256),),
        release_id=release_for(system, settings),
        run_label=default_label(now, secrets.token_hex(4)),
        add_concurrency=_adds_at_once(system, settings),
        search_concurrency=min(256, system.max_concurrency),
        allow_private=True,
    )


def release_for(system: Agent | MemorySystem, settings: RunSettings) -> str:
    return settings.release_id or (MEMORY_RELEASE if isinstance(system, MemorySystem) else AGENT_RELEASE)


def _adds_at_once(system: Agent | MemorySystem, settings: RunSettings) -> int:
    """A history that is only kept waits for nobody."""
    kept = isinstance(system, Agent) and settings.demands.mode == "inject"
    return ADDS_AT_ONCE if kept else min(64, system.max_concurrency)


async def _require_release(platform: Platform, release_id: str) -> None:
    offered = [release.release_id for release in (await platform.releases()).releases]
    if release_id not in offered:
        raise WrongUsage("release", f"there is no release {release_id!r}; offered are {', '.join(offered)}")


async def _files(
    platform: Platform, job_id: str, bundle: AgentBundle, asked: AskedQuestions
) -> dict[str, QuestionFile]:
    """What the platform kept of each question, also where its texts can not be read any more."""
    lines = (await platform.result_file(job_id, "questions.jsonl", details=True)).splitlines()
    files = [msgspec.json.decode(line, type=QuestionFile) for line in lines if line.strip()]
    by_unit = {file.row.unit: file for file in files}
    units = {each.question_id: unit_of(bundle.name, each.sample_id, each.question_id) for each in asked.by_id.values()}
    return {question_id: by_unit[unit] for question_id, unit in units.items() if unit in by_unit}


async def _cancel(platform: Platform, job_id: str) -> None:
    with contextlib.suppress(Exception):  # the interruption itself is what the caller hears of
        async with asyncio.timeout(CANCEL_SECONDS):
            await platform.cancel(job_id, "the evaluation was interrupted")


def _failures(asked: AskedQuestions, loopback: Loopback) -> dict[str, str]:
    found = {}
    for each in asked.by_id.values():
        problem = loopback.failure(each.sample_id, each.text) or loopback.failure(each.sample_id, None)
        if problem is not None:
            found[each.question_id] = problem
    return found
