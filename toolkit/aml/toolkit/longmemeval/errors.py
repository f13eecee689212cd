"""What can keep LongMemEval from running. Every message is one line that says what to do next.

LongMemEvalError
├── OptionInvalid     an option is unknown, malformed, or contradicts another one
├── NothingSelected   the options leave no question of the dataset
├── JudgeUndecided    a question has no verdict, and the run was to fail on that
└── ReleaseNotOffered the platform that is to run does not know the release
"""

from collections.abc import Sequence
from pathlib import Path


class LongMemEvalError(Exception):
    """Root."""


class OptionInvalid(LongMemEvalError):
    """`option` is the one to change; `problem` says how."""

    def __init__(self, option: str, problem: str) -> None:
        super().__init__(f"{option}: {problem}")
        self.option = option
        self.problem = problem


class NothingSelected(LongMemEvalError):
    def __init__(self, dataset: Path, wanted: str) -> None:
        super().__init__(
            f"{dataset} has no question that is {wanted}; ask for other types or another abstention_policy"
        )
        self.dataset = dataset
        self.wanted = wanted


class JudgeUndecided(LongMemEvalError):
    """`questions` are the ids without a verdict. The run is stored under `job_id` all the same."""

    def __init__(self, questions: Sequence[str], detail: str, job_id: str | None) -> None:
        more = f" and {len(questions) - 1} more" if len(questions) > 1 else ""
        stored = f"; the run is stored as {job_id}" if job_id else ""
        super().__init__(f"judge_failure_policy: no verdict on {questions[0]}{more} ({detail}){stored}")
        self.questions = tuple(questions)
        self.detail = detail
        self.job_id = job_id


class ReleaseNotOffered(LongMemEvalError):
    def __init__(self, release_id: str, portal: str, advice: str) -> None:
        super().__init__(f"the platform at {portal} does not offer the release {release_id}; {advice}")
        self.release_id = release_id
        self.portal = portal
