"""One arm of a run: its sample written, its job run on the platform, its outcomes read."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from aml.toolkit.agents.agent import Agent
from aml.toolkit.agents.memory_system import MemorySystem
from aml.toolkit.suite_run.agent_bundle import AgentBundle, read_asked
from aml.toolkit.suite_run.platform_access import PlatformAccess
from aml.toolkit.suite_run.run_bundle import BundleRun, RunSettings, run_bundle
from aml.toolkit.suite_run.run_progress import OnProgress

from .accounting import accuracies, count
from .answer_sampling import AnswerSampling, PinnedAgent, sampling_report
from .composition import compose
from .dataset import Catalogue, WrittenSample, write_sample
from .errors import JudgeUndecided
from .ground import Ground, require_offered
from .history import LongMemEvalHistory
from .options import LongMemEvalOptions
from .oracle import OracleOptions
from .predicates import predicates_of
from .provenance import LongMemEvalProvenance, provenance_of
from .published import published_for
from .question_result import LongMemEvalQuestion, question_result
from .result import LongMemEvalResult
from .retrieved import capture, mean_metrics
from .sampling import Selection
from .system_demands import System, demands_of

DATASET_NAME = "longmemeval"


class Arm(Struct, frozen=True, kw_only=True):
    system: System
    dataset: Path
    catalogue: Catalogue
    selection: Selection
    options: LongMemEvalOptions
    oracle: OracleOptions | None
    """None for the arm that has the whole history."""
    release_id: str
    answer_seconds: float | None
    """For one call to the agent."""


async def run_arm(
    arm: Arm, access: PlatformAccess, ground: Ground, on_progress: OnProgress | None
) -> LongMemEvalResult:
    """Raises `JudgeUndecided`, `ReleaseNotOffered`, `AgentCannot`, `EvaluationError`, `PlatformError`, `BundleError`."""
    await require_offered(arm.release_id, access, ground)
    options = arm.options
    written = await asyncio.to_thread(
        write_sample, arm.dataset, ground.datasets, arm.selection, options, oracle=arm.oracle
    )
    bundle = AgentBundle(name=DATASET_NAME, path=written.path, sha256=written.sha256)
    asked = await asyncio.to_thread(read_asked, bundle)
    system = arm.system
    pinned: PinnedAgent | None = None
    if isinstance(system, Agent) and (options.answer_temperature is not None or options.answer_seed is not None):
        system = pinned = PinnedAgent(system, options.answer_temperature, options.answer_seed)
    run = await run_bundle(system, bundle, asked, access, _settings(arm), on_progress=on_progress)
    questions = await asyncio.to_thread(_questions, arm, written, run)
    _require_verdicts(questions, options, run)
    sampling = sampling_report(options.answer_temperature, options.answer_seed, pinned.outcomes if pinned else set())
    provenance = _provenance(arm, ground, access, written, run) if options.run_provenance != "none" else None
    return _result(arm, written, run, questions, sampling, provenance)


def _settings(arm: Arm) -> RunSettings:
    options = arm.options
    return RunSettings(
        release_id=arm.release_id,
        demands=demands_of(options),
        form=LongMemEvalHistory(
            boundaries=options.preserve_session_boundaries,
            dates=options.dates_in_text,
            marker=options.synthetic_turn_marker,
        ),
        answer_seconds=arm.answer_seconds,
    )


def _result(
    arm: Arm,
    written: WrittenSample,
    run: BundleRun,
    questions: tuple[LongMemEvalQuestion, ...],
    sampling: AnswerSampling,
    provenance: LongMemEvalProvenance | None,
) -> LongMemEvalResult:
    ran = (written.keys[each.question_id].entry for each in questions if each.ran)
    return LongMemEvalResult(
        agent=arm.system.name,
        model=arm.system.model,
        arm="agent" if arm.oracle is None else "oracle",
        started_at=f"{run.started_at:%Y-%m-%dT%H:%M:%SZ}",
        seconds=run.seconds,
        job_id=run.job.job_id,
        options=arm.options,
        counts=count(questions),
        accuracies=accuracies(questions),
        composition=compose(ran, arm.selection, arm.options.abstention_target_proportion),
        questions=questions,
        retrieval=mean_metrics(each.evidence for each in questions if each.evidence is not None),
        answer_sampling=sampling,
        grounding=written.grounding,
        oracle_options=arm.oracle,
        oracle=written.oracle,
        provenance=provenance,
        published=published_for("whole_history" if arm.oracle is None else "oracle"),
    )


def _provenance(
    arm: Arm, ground: Ground, access: PlatformAccess, written: WrittenSample, run: BundleRun
) -> LongMemEvalProvenance:
    return provenance_of(
        run,
        ground.releases.get(arm.release_id),
        selected=arm.selection.ids,
        dataset_sha256=arm.catalogue.sha256,
        bundle_sha256=written.sha256,
        pipeline_digest=access.pipeline_digest,
        answer_fingerprints=getattr(arm.system, "system_fingerprints", ()),
    )


def _questions(arm: Arm, written: WrittenSample, run: BundleRun) -> tuple[LongMemEvalQuestion, ...]:
    options = arm.options
    memory = isinstance(arm.system, MemorySystem)  # what an agent's Search returns is its answer
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
        for question_id in arm.selection.ids
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
