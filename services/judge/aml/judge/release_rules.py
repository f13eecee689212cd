"""What a release says about a question type."""

from aml.contracts.benchmark import Question
from aml.contracts.release import ScoringRule
from aml.runtime.release_folder import LoadedRelease

from .errors import ReleaseGap


def rule_for(question: Question, release: LoadedRelease) -> ScoringRule:
    """Raises `ReleaseGap` for a type that the release does not name: there is no default rule."""
    rule = release.release.scoring.get(question.question_type)
    if rule is None:
        named = f"release {release.release.release_id} has no rule for question type {question.question_type!r}"
        raise ReleaseGap("internal", named)
    return rule
