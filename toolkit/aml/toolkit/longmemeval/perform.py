"""One arm of a run: its sample written, its job run on the platform, its outcomes read."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from aml.runtime.release_folder import LoadedRelease, ReleaseError, find_release, load_release
from aml.toolkit.agents.agent import Agent
from aml.toolkit.agents.demands import Dates, Demands, History, agree
from aml.toolkit.agents.memory_system import MemorySystem
from aml.toolkit.local.home import Layout
from aml.toolkit.suite_run.agent_bundle import AgentBundle, read_asked
from aml.toolkit.suite_run.platform_access import (
    PlatformAccess,
    RemoteStack,
    Stack,
    datasets_folder,
)
from aml.toolkit.suite_run.run_bundle import AGENT_RELEASE, MEMORY_RELEASE, BundleRun, RunSettings, run_bundle
from aml.toolkit.suite_run.run_progress import OnProgress

from .accounting import accuracies, count
from .answer_sampling import PinnedAgent, sampling_report
from .composition import compose
from .dataset import Catalogue, WrittenSample, write_sample
from .errors import JudgeUndecided, OptionInvalid, ReleaseNotOffered
from .history import LongMemEvalHistory
from .judge_release import derive_release, write_release
from .options import LongMemEvalOptions
from .oracle import OracleOptions
from .predicates import predicates_of
from .provenance import provenance_of
from .published import published_for
from .question_result import LongMemEvalQuestion, question_result
from .result import LongMemEvalResult
from .retrieved import capture, mean_metrics
from .sampling import Selection

MODEL_JUDGE_RELEASE = "toolkit-openai"
"""For agents, where an option changes the judge and no release was named."""
DATASET_NAME = "longmemeval"

System = Agent | MemorySystem

_USUAL = LongMemEvalOptions()
_FOR_AGENTS = (
    "history_injection_mode",
    "preserve_session_boundaries",
    "include_timestamps",
    "synthetic_turn_marker",
    "temporal_grounding",
    "answer_temperature",
    "answer_seed",
)


class Ground(Struct, frozen=True, kw_only=True):
    """What a run stands on: where bundles go, and the release of each arm as it is known here."""

    datasets: Path
    release_ids: tuple[str, ...]
    releases: dict[str, LoadedRelease]
    """None of a platform's own that are not bundled."""
    derived: dict[str, Path]
    """Releases that were written for this run, by id."""


class Order(Struct, frozen=True, kw_only=True):
    system: System
    dataset: Path
    catalogue: Catalogue
    selection: Selection
    options: LongMemEvalOptions
    oracle: OracleOptions | None
    release_id: str
    answer_seconds: float | None


def require_able(system: System, options: LongMemEvalOptions) -> None:
    """Raises `AgentCannot` or `OptionInvalid` for what the system cannot do."""
    if isinstance(system, Agent):
        agree(system, demands_of(options))
        if options.evidence_capture != "none":
            raise OptionInvalid(
                "evidence_capture", f"is for memories; of {system.name} the answer alone is seen; leave it out"
            )
        return
    for name in _FOR_AGENTS:
        if getattr(options, name) != getattr(_USUAL, name):
            told = "a memory is told sessions and times as the contract has them, and its release answers"
            raise OptionInvalid(name, f"is for agents, and {told}; leave it out")


def demands_of(options: LongMemEvalOptions) -> Demands:
    """Turns with times or marks are turns: where the run gives these, a history in one text will not do."""
    history: dict[str, History] = {"auto": "auto", "text_blob": "text", "structured_chat_history": "chat"}
    dates: dict[str, Dates] = {"none": "text", "timestamps_and_text": "both", "timestamps_only": "instants"}
    by_turns = options.temporal_grounding != "none" or options.synthetic_turn_marker is not None
    return Demands(
        history="chat" if by_turns else history[options.history_injection_mode],
        dates=dates[options.temporal_grounding],
    )


def prepare(stack: Stack, systems: Sequence[System], options: LongMemEvalOptions, release: str | None) -> Ground:
    """Raises `OptionInvalid`, `LocalStackError`, `WrongUsage`, `OSError`."""
    datasets = datasets_folder(stack)
    own = None if isinstance(stack, RemoteStack) else Layout(datasets.parent).releases
    ids: list[str] = []
    releases: dict[str, LoadedRelease] = {}
    derived: dict[str, Path] = {}
    for system in systems:
        release_id = release or _usual_release(system, options)
        folder = _folder_of(release_id, own)
        if folder is not None and (changed := derive_release(folder, options)) is not None:
            if own is None:
                problem = (
                    f"makes the release {changed.release_id}, which a platform at an address takes from its operator;"
                )
                raise OptionInvalid(options.judge_is_set[0], f"{problem} leave it out, or run on a local stack")
            release_id, folder = changed.release_id, write_release(changed, own)
            derived[release_id] = folder
        elif folder is None and options.judge_is_set:
            raise OptionInvalid(
                options.judge_is_set[0], f"cannot change the release {release_id}, which is not known here"
            )
        ids.append(release_id)
        if folder is not None:
            releases[release_id] = load_release(folder)
    return Ground(datasets=datasets, release_ids=tuple(ids), releases=releases, derived=derived)


async def run_order(
    order: Order, access: PlatformAccess, ground: Ground, on_progress: OnProgress | None
) -> LongMemEvalResult:
    """Raises `JudgeUndecided`, `ReleaseNotOffered`, `AgentCannot`, `EvaluationError`, `PlatformError`, `BundleError`."""
    await _require_offered(order.release_id, access, ground)
    options = order.options
    written = await asyncio.to_thread(
        write_sample, order.dataset, ground.datasets, order.selection, options, oracle=order.oracle
    )
    bundle = AgentBundle(name=DATASET_NAME, path=written.path, sha256=written.sha256)
    asked = await asyncio.to_thread(read_asked, bundle)
    system = order.system
    pinned: PinnedAgent | None = None
    if isinstance(system, Agent) and (options.answer_temperature is not None or options.answer_seed is not None):
        system = pinned = PinnedAgent(system, options.answer_temperature, options.answer_seed)
    settings = RunSettings(
        release_id=order.release_id,
        demands=demands_of(options),
        form=LongMemEvalHistory(
            boundaries=options.preserve_session_boundaries,
            dates=options.dates_in_text,
            marker=options.synthetic_turn_marker,
        ),
        answer_seconds=order.answer_seconds,
    )
    run = await run_bundle(system, bundle, asked, access, settings, on_progress=on_progress)
    questions = await asyncio.to_thread(_questions, order, written, run)
    _require_verdicts(questions, options, run)
    return LongMemEvalResult(
        agent=order.system.name,
        model=order.system.model,
        arm="agent" if order.oracle is None else "oracle",
        started_at=f"{run.started_at:%Y-%m-%dT%H:%M:%SZ}",
        seconds=run.seconds,
        job_id=run.job.job_id,
        options=options,
        counts=count(questions),
        accuracies=accuracies(questions),
        composition=compose(
            (written.keys[each.question_id].entry for each in questions if each.ran),
            order.selection,
            options.abstention_target_proportion,
        ),
        questions=questions,
        retrieval=mean_metrics(each.evidence for each in questions if each.evidence is not None),
        answer_sampling=sampling_report(
            options.answer_temperature, options.answer_seed, pinned.outcomes if pinned else set()
        ),
        grounding=written.grounding,
        oracle_options=order.oracle,
        oracle=written.oracle,
        provenance=None
        if options.run_provenance == "none"
        else provenance_of(
            run,
            ground.releases.get(order.release_id),
            selected=order.selection.ids,
            dataset_sha256=order.catalogue.sha256,
            bundle_sha256=written.sha256,
            pipeline_digest=access.pipeline_digest,
            answer_fingerprints=getattr(order.system, "system_fingerprints", ()),
        ),
        published=published_for("whole_history" if order.oracle is None else "oracle"),
    )


def _questions(order: Order, written: WrittenSample, run: BundleRun) -> tuple[LongMemEvalQuestion, ...]:
    options = order.options
    memory = isinstance(order.system, MemorySystem)  # what an agent's Search returns is its answer
    evidence = capture(written.path, written.keys, run.files, options.evidence_capture) if memory else {}
    return tuple(
        question_result(
            written.keys[question_id],
            run.files.get(question_id),
            run.failures.get(question_id),
            evidence.get(question_id),
            options,
            parts=_parts(written.keys[question_id].reference, options),
        )
        for question_id in order.selection.ids
    )


def _parts(reference: str, options: LongMemEvalOptions) -> int:
    return 1 if options.judge_decomposition == "none" else max(1, len(predicates_of(reference)))


def _require_verdicts(questions: Sequence[LongMemEvalQuestion], options: LongMemEvalOptions, run: BundleRun) -> None:
    if options.judge_failure_policy != "fail_run":
        return
    undecided = [each for each in questions if each.status == "inconclusive"]
    if undecided:
        first = undecided[0].unscored
        raise JudgeUndecided([each.question_id for each in undecided], first.detail if first else "", run.job.job_id)


async def _require_offered(release_id: str, access: PlatformAccess, ground: Ground) -> None:
    async with access.platform() as platform:
        offered = [each.release_id for each in (await platform.releases()).releases]
    if release_id in offered:
        return
    folder = ground.derived.get(release_id)
    if folder is None:
        raise ReleaseNotOffered(release_id, access.url, f"offered are {', '.join(offered)}")
    advice = f"it was written to {folder} for this run's judge options, and services read releases when they start:"
    raise ReleaseNotOffered(release_id, access.url, f"{advice} `aml down`, then run again")


def _usual_release(system: System, options: LongMemEvalOptions) -> str:
    if isinstance(system, MemorySystem):
        return MEMORY_RELEASE
    return MODEL_JUDGE_RELEASE if options.judge_is_set else AGENT_RELEASE


def _folder_of(release_id: str, own: Path | None) -> Path | None:
    """None for a release that only the platform knows."""
    try:
        return find_release(release_id, own)
    except ReleaseError:
        return None
