"""What can keep a suite from giving a result, beside what keeps any run from it (`EvaluationError`).

EvaluationError
├── JobUnplanned     the platform could not even plan the job
├── InsideALoop      a synchronous call was made where an event loop runs
└── NotScored        one question's outcome was wanted, and it has none
"""

from aml.gateway.jobs.views import Job
from aml.toolkit.evaluation.errors import EvaluationError


class JobUnplanned(EvaluationError):
    def __init__(self, job: Job) -> None:
        detail = job.failure.detail if job.failure else f"job {job.job_id} ended as {job.state} without a result"
        super().__init__(f"the platform gave no result: {detail}")
        self.job = job


class InsideALoop(EvaluationError):
    def __init__(self, twin: str) -> None:
        super().__init__(f"an event loop runs here already; await {twin}(…) instead")
        self.twin = twin


class NotScored(EvaluationError):
    def __init__(self, stage: str, reason: str, detail: str) -> None:
        super().__init__(f"the question was not scored in stage {stage} ({reason}): {detail}")
        self.stage = stage
        self.reason = reason
        self.detail = detail
