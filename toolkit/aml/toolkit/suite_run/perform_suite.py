"""A suite from its scenarios to its result: compile it, have a platform, run it once or several times, score it."""

import hashlib
import secrets
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Final

from msgspec import Struct

from aml.contracts.vocabulary import Language
from aml.toolkit.agents.agent import Agent
from aml.toolkit.agents.memory_system import MemorySystem
from aml.toolkit.metrics.score_suite import RunFacts, score_suite
from aml.toolkit.results import Provenance, SuiteResult
from aml.toolkit.suites.bundle import SuiteManifest, write_suite
from aml.toolkit.suites.presets import Preset

from .agent_bundle import AgentBundle, read_asked
from .platform_access import PlatformAccess, Stack, access_platform, datasets_folder
from .question_records import question_records
from .run_bundle import BundleRun, RunSettings, run_bundle
from .run_progress import OnProgress

DISTRIBUTION: Final = "agent-memory-leaderboard"


class SuitePlan(Struct, frozen=True, kw_only=True):
    preset: Preset
    seed: int
    language: Language
    limit: int | None
    """Scenarios a category; None for the preset's."""
    scenarios: Path | None
    """A folder of the user's own; None for ours."""
    repeats: int
    settings: RunSettings
    price_per_million_tokens: float | None


async def perform_suite(
    system: Agent | MemorySystem,
    plan: SuitePlan,
    stack: Stack,
    *,
    keep_stack: bool = False,
    on_progress: OnProgress | None = None,
) -> SuiteResult:
    """Raises `AgentCannot`, `SuiteError`, `EvaluationError`, `LocalStackError`, `PlatformError`."""
    manifest, bundle = compile_into(datasets_folder(stack), plan)
    asked = read_asked(bundle)
    async with access_platform(stack, keep=keep_stack) as access:
        runs = [
            await run_bundle(system, bundle, asked, access, plan.settings, on_progress=on_progress, repeat=repeat)
            for repeat in range(plan.repeats)
        ]
    records = [
        record
        for repeat, run in enumerate(runs)
        for record in question_records(manifest.questions, asked, run, repeat=repeat)
    ]
    return score_suite(
        records,
        {category: hundredths / 100 for category, hundredths in manifest.weights.items()},
        RunFacts(
            agent=system.name,
            suite=manifest.suite,
            started_at=f"{runs[0].started_at:%Y-%m-%dT%H:%M:%SZ}",
            seconds=round(sum(run.seconds for run in runs), 3),
            model=system.model,
            price_per_million_tokens=plan.price_per_million_tokens,
        ),
        provenance_of(manifest, runs, access, history=plan.settings.demands.mode),
    )


def compile_into(folder: Path, plan: SuitePlan) -> tuple[SuiteManifest, AgentBundle]:
    """The suite's bundle, under its hash in the datasets folder. Raises `SuiteError`."""
    draft = folder / f".suite-{secrets.token_hex(6)}"
    manifest = write_suite(
        draft, plan.preset, seed=plan.seed, language=plan.language, limit=plan.limit, folder=plan.scenarios
    )
    place = folder / manifest.sha256
    draft.replace(place)  # the same hash is the same bytes: whoever reads the older file reads on in it
    name = f"suite-{manifest.suite}-{manifest.language}"
    return manifest, AgentBundle(name=name, path=place, sha256=manifest.sha256, adapter=manifest.adapter)


def provenance_of(
    manifest: SuiteManifest, runs: Sequence[BundleRun], access: PlatformAccess, *, history: str
) -> Provenance:
    """Of runs that asked the same questions under one release; the checkpoint is the last run's, which covers all."""
    first, last = runs[0], runs[-1]
    return Provenance(
        tool_version=metadata.version(DISTRIBUTION),
        suite=manifest.suite,
        language=manifest.language,
        seed=manifest.seed,
        history=history,
        dataset_sha256=manifest.sha256,
        question_ids_sha256=ids_fingerprint([key.question_id for key in manifest.questions]),
        release_id=first.job.release_id,
        release_digest=first.job.release_digest,
        pipeline_digest=access.pipeline_digest,
        job_ids=tuple(run.job.job_id for run in runs),
        checkpoint=last.checkpoint.note if last.checkpoint else None,
    )


def ids_fingerprint(question_ids: Sequence[str]) -> str:
    """SHA-256 over the sorted ids, a line each: the same value is the same questions."""
    return hashlib.sha256("".join(f"{each}\n" for each in sorted(question_ids)).encode()).hexdigest()
