"""A job's private results: scores, questions, comparisons, files, and the contract doctor's report."""

from typing import Literal

from aml.contracts.doctor import DoctorReport
from aml.gateway.results.views import Comparison, QuestionFile, Questions, Results

from .connection import Connection, segment

ResultFile = Literal["results.json", "results.csv", "questions.jsonl", "questions.csv"]


class ResultCalls:
    connection: Connection

    async def results(self, job_id: str) -> Results:
        """Refused with the reason `results_not_ready` until the gate has decided."""
        return await self.connection.get(f"/jobs/{segment(job_id)}/results", Results)

    async def questions(
        self,
        job_id: str,
        outcome: str | None = None,
        limit: int = 100,
        offset: int = 0,
        *,
        dataset: str | None = None,
        category: str | None = None,
        reason: str | None = None,
        words: str | None = None,
    ) -> Questions:
        """Failures first."""
        return await self.connection.get(
            f"/jobs/{segment(job_id)}/questions",
            Questions,
            outcome=outcome,
            limit=limit,
            offset=offset,
            dataset=dataset,
            category=category,
            reason=reason,
            q=words,
        )

    async def question(self, job_id: str, unit: str) -> QuestionFile:
        return await self.connection.get(f"/jobs/{segment(job_id)}/questions/{segment(unit)}", QuestionFile)

    async def comparison(self, job_id: str, earlier: str, limit: int = 100, offset: int = 0) -> Comparison:
        query = {"with": earlier, "limit": limit, "offset": offset}
        return await self.connection.get(f"/jobs/{segment(job_id)}/comparison", Comparison, **query)

    async def result_file(self, job_id: str, name: ResultFile, *, details: bool | None = None) -> bytes:
        """`details` is for `questions.jsonl`: all that is kept of each question."""
        told = None if details is None else str(details).lower()
        return await self.connection.get_bytes(f"/jobs/{segment(job_id)}/{name}", details=told)

    async def contract_report(self, job_id: str) -> DoctorReport:
        return await self.connection.get(f"/jobs/{segment(job_id)}/contract", DoctorReport)
