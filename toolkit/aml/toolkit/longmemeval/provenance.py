"""What a LongMemEval run was measured with. What is not known is None, never a placeholder: two unknowns are not equal."""

import hashlib
from collections.abc import Iterable
from importlib import metadata

from msgspec import UNSET, Struct

from aml.runtime.release_folder import LoadedRelease
from aml.toolkit.suite_run.perform_suite import DISTRIBUTION, ids_fingerprint
from aml.toolkit.suite_run.run_bundle import BundleRun

from .judge_release import QUESTION_TYPE_PREFIX


class LongMemEvalProvenance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    tool_version: str
    judge_prompt_fingerprint: str | None
    """Over the judge's prompts for the dataset's types; None for a judge without a model, and for a platform whose release
    is not the one known here."""
    dataset_sha256: str | None
    """Of the dataset's file; None unless the run was to hash it."""
    selected_ids_fingerprint: str
    """Equal for equal questions, whatever their order."""
    bundle_sha256: str
    """Of every turn, question and gold answer that the platform was given."""
    release_id: str
    release_digest: str
    pipeline_digest: str | None
    judge_models: tuple[str, ...] | None
    judge_system_fingerprints: tuple[str, ...] | None
    """As the judge's provider names its builds; more than one means that the run spanned builds."""
    answer_system_fingerprints: tuple[str, ...] | None
    job_id: str
    checkpoint: str | None


def provenance_of(
    run: BundleRun,
    release: LoadedRelease | None,
    *,
    selected: Iterable[str],
    dataset_sha256: str | None,
    bundle_sha256: str,
    pipeline_digest: str | None,
    answer_fingerprints: Iterable[str],
) -> LongMemEvalProvenance:
    """`release` as it is known here; it says nothing where the platform's has other bytes."""
    verdicts = [file.verdict for file in run.files.values() if file.verdict is not None]
    builds = {each.system_fingerprint for each in verdicts if each.system_fingerprint is not UNSET}
    same = release is not None and release.digest == run.job.release_digest
    return LongMemEvalProvenance(
        tool_version=metadata.version(DISTRIBUTION),
        judge_prompt_fingerprint=_prompts(release) if same and release is not None else None,
        dataset_sha256=dataset_sha256,
        selected_ids_fingerprint=ids_fingerprint(list(selected)),
        bundle_sha256=bundle_sha256,
        release_id=run.job.release_id,
        release_digest=run.job.release_digest,
        pipeline_digest=pipeline_digest,
        judge_models=_named(each.model for each in verdicts),
        judge_system_fingerprints=_named(builds),
        answer_system_fingerprints=_named(answer_fingerprints),
        job_id=run.job.job_id,
        checkpoint=run.checkpoint.note if run.checkpoint else None,
    )


def _prompts(release: LoadedRelease) -> str | None:
    """SHA-256 over question type and prompt fingerprint, a line each in the types' order."""
    lines = [
        f"{name} {release.fingerprints[rule.judge_prompt]}\n"
        for name, rule in sorted(release.release.scoring.items())
        if name.startswith(QUESTION_TYPE_PREFIX) and rule.judge_prompt is not None
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest() if lines else None


def _named(values: Iterable[object]) -> tuple[str, ...] | None:
    return tuple(sorted({value for value in values if isinstance(value, str) and value})) or None
