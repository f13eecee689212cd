"""Whether this judge can do what a release asks, found out before any job runs under it."""

from pathlib import Path

from aml.runtime.release_folder import MANIFEST, PROMPTS, LoadedRelease, ReleaseError

from .answerers.openai_chat import ANSWER_VALUES
from .answerers.tokenizer import UnknownTokenizer, require_tokenizer
from .calibration.calibration_set import CalibrationSetError, pinned_set
from .model_calls.prompt_template import FENCE, names_in
from .scoring.fact_judge import FACT_TYPES
from .scoring.llm_judge import JUDGE_VALUES
from .scoring.locomo_f1 import locomo_category

IMPLEMENTED = frozenset({"rule_judge", "llm_judge", "locomo_f1", "choice", "facts"})


def check_release(loaded: LoadedRelease, folder: Path) -> None:
    """For start-up and planning: refuses, before anything runs, what would end every question unscored.

    Raises `ReleaseError` naming the prompt or the manifest's field.
    """
    try:
        require_tokenizer(loaded.release.tokenizer)
    except UnknownTokenizer as error:
        raise ReleaseError(folder, MANIFEST, str(error)) from None
    if (demand := loaded.release.calibration) is not None:
        try:
            pinned_set(demand.answers, demand.sha256)
        except CalibrationSetError as error:
            raise ReleaseError(folder, MANIFEST, f"calibration: {error}") from None
    for question_type, rule in loaded.release.scoring.items():
        if rule.rule not in IMPLEMENTED:
            raise ReleaseError(folder, MANIFEST, f"scoring.{question_type}.rule {rule.rule!r} is not implemented here")
        if rule.rule == "locomo_f1" and locomo_category(question_type) is None:
            raise ReleaseError(folder, MANIFEST, f"scoring.{question_type}: locomo_f1 scores `locomo_*` types only")
        if rule.rule == "facts" and question_type not in FACT_TYPES:
            raise ReleaseError(
                folder, MANIFEST, f"scoring.{question_type}: facts scores {', '.join(sorted(FACT_TYPES))}"
            )
        for name, values in ((rule.answer_prompt, ANSWER_VALUES), (rule.judge_prompt, JUDGE_VALUES)):
            if name is not None and (unknown := names_in(loaded.prompts[name]) - values - {FENCE}):
                raise ReleaseError(folder, f"{PROMPTS}/{name}", f"unknown value {{{{{min(unknown)}}}}}")
