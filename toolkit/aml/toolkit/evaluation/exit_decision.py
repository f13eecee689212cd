"""From an outcome to the sentence that ends `aml run`, and what it means for a build."""

from enum import Enum

from msgspec import Struct

from .run_outcome import RunOutcome


class Conclusion(Enum):
    PASSED = "passed"
    BELOW_THRESHOLD = "below threshold"
    INCOMPLETE = "incomplete"


class Verdict(Struct, frozen=True):
    conclusion: Conclusion
    sentence: str


def conclude(outcome: RunOutcome, fail_under: float | None) -> Verdict:
    """Incomplete wins over a threshold: a score over fewer questions than planned is no score to hold against one."""
    if outcome.run.state != "completed" or outcome.unscored or outcome.overall.score is None:
        return Verdict(Conclusion.INCOMPLETE, _incomplete(outcome))
    score = outcome.overall.score
    if fail_under is not None and score < fail_under:
        return Verdict(Conclusion.BELOW_THRESHOLD, f"Overall {score:.2f} is below {fail_under:g}")
    return Verdict(Conclusion.PASSED, f"Overall {score:.2f}, every one of {outcome.planned:,} questions scored")


def _incomplete(outcome: RunOutcome) -> str:
    if (failure := outcome.run.failure) is not None:
        return f"the run stopped in stage {failure.stage} ({failure.reason}): {failure.detail}"
    if outcome.run.state == "cancelled":
        return f"the run was cancelled; {outcome.unscored:,} of {outcome.planned:,} questions are unscored"
    if not outcome.planned:
        return "no question was planned; give a larger --limit or another --dataset"
    if not outcome.unscored:
        return "no question counts towards Overall; choose datasets with categories that do"
    reasons: dict[str, int] = {}
    for dataset in outcome.datasets.values():
        for reason, questions in dataset.unscored_reasons.items():
            reasons[reason] = reasons.get(reason, 0) + questions
    listed = ", ".join(f"{reason} {questions:,}" for reason, questions in sorted(reasons.items()))
    return f"{outcome.unscored:,} of {outcome.planned:,} questions are unscored ({listed})"
