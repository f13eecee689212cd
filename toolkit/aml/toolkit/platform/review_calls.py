"""Reviews of publication, and who attested the deletion of evaluation data."""

from aml.contracts.seals import Decision
from aml.gateway.review.bodies import AttestationOrder, NoteOrder, ReviewOrder
from aml.gateway.review.views import (
    Attestation,
    Attestations,
    Decisions,
    FairPlayEvidence,
    NoteRow,
    Reviewed,
    ReviewFile,
    Reviews,
)

from .connection import Connection, segment


class ReviewCalls:
    connection: Connection

    async def reviews(
        self,
        state: str | None = None,
        origin: str | None = None,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reviews:
        """By default the participants' jobs that wait for a decision."""
        query = {"state": state, "origin": origin, "limit": limit, "offset": offset}
        return await self.connection.get("/reviews", Reviews, **query)

    async def review_file(self, job_id: str) -> ReviewFile:
        return await self.connection.get(f"/reviews/{segment(job_id)}", ReviewFile)

    async def fair_play(self, job_id: str, limit: int = 20, offset: int = 0) -> FairPlayEvidence:
        return await self.connection.get(
            f"/reviews/{segment(job_id)}/fair-play", FairPlayEvidence, limit=limit, offset=offset
        )

    async def write_note(self, job_id: str, text: str) -> NoteRow:
        return await self.connection.post(f"/reviews/{segment(job_id)}/notes", NoteOrder(text=text), NoteRow)

    async def review(self, job_id: str, decision: Decision, reason: str) -> Reviewed:
        order = ReviewOrder(decision=decision, reason=reason)
        return await self.connection.post(f"/jobs/{segment(job_id)}/review", order, Reviewed)

    async def decisions(self, job_id: str) -> Decisions:
        return await self.connection.get(f"/jobs/{segment(job_id)}/decisions", Decisions)

    async def attest_deletion(self, job_id: str, statement: str) -> Attestation:
        order = AttestationOrder(statement=statement)
        return await self.connection.post(f"/jobs/{segment(job_id)}/deletion-attestation", order, Attestation)

    async def attestations(
        self, state: str | None = None, *, limit: int | None = None, offset: int | None = None
    ) -> Attestations:
        return await self.connection.get(
            "/deletion-attestations", Attestations, state=state, limit=limit, offset=offset
        )
