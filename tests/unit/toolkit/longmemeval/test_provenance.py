from types import SimpleNamespace
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from aml.contracts.packs import VerdictRecord
from aml.runtime.release_folder import LoadedRelease, bundled_releases, load_release
from aml.toolkit.longmemeval.provenance import LongMemEvalProvenance, provenance_of

MODEL = load_release(bundled_releases()["toolkit-openai"])
RULES = load_release(bundled_releases()["toolkit"])


def provenance(release: LoadedRelease | None, *verdicts: VerdictRecord, **changes: Any) -> LongMemEvalProvenance:
    digest = release.digest if release else "d" * 64
    run: Any = SimpleNamespace(
        job=SimpleNamespace(release_id="r", release_digest=changes.pop("digest", digest), job_id="job-1"),
        files={str(number): SimpleNamespace(verdict=each) for number, each in enumerate(verdicts)},
        checkpoint=None,
    )
    given: dict[str, Any] = {
        "selected": ("b", "a"),
        "dataset_sha256": None,
        "bundle_sha256": "b" * 64,
        "pipeline_digest": None,
        "answer_fingerprints": (),
    }
    return provenance_of(run, release, **{**given, **changes})


def a_verdict(build: Any = UNSET) -> VerdictRecord:
    return VerdictRecord(rule="llm_judge", score=0, reason="", model="m", system_fingerprint=build)


def test_what_is_absent_is_none_and_no_placeholder() -> None:
    found = provenance(RULES)
    assert (found.judge_prompt_fingerprint, found.dataset_sha256, found.checkpoint) == (None, None, None)
    assert (found.judge_models, found.judge_system_fingerprints, found.answer_system_fingerprints) == (None, None, None)
    assert provenance(RULES, a_verdict()).judge_system_fingerprints is None


def test_builds_are_told_once_each() -> None:
    found = provenance(MODEL, a_verdict("fp2"), a_verdict("fp1"), a_verdict("fp2"), answer_fingerprints={"x"})
    assert found.judge_system_fingerprints == ("fp1", "fp2")
    assert (found.judge_models, found.answer_system_fingerprints) == (("m",), ("x",))


def test_the_prompts_fingerprint_changes_with_any_prompt_of_the_dataset_s_types_and_with_no_other() -> None:
    base = provenance(MODEL).judge_prompt_fingerprint
    assert base is not None

    def edited(name: str) -> str | None:
        changed = replace(MODEL, fingerprints=MODEL.fingerprints | {name: "0" * 64})
        return provenance(changed).judge_prompt_fingerprint

    assert edited("longmemeval_update.md") != base
    assert edited("judge_standard.md") == base


def test_a_release_with_other_bytes_says_nothing_of_its_prompts() -> None:
    assert provenance(MODEL, digest="e" * 64).judge_prompt_fingerprint is None
    assert provenance(None).judge_prompt_fingerprint is None


def test_the_same_questions_have_the_same_fingerprint_in_any_order() -> None:
    one, other = provenance(RULES), provenance(RULES, selected=("a", "b"))
    assert one.selected_ids_fingerprint == other.selected_ids_fingerprint
    assert one.selected_ids_fingerprint != provenance(RULES, selected=("a", "c")).selected_ids_fingerprint
