"""Benchmarks that somebody offers."""

from pathlib import Path

from aml.contracts.proposals import ProposalDecision
from aml.gateway.donations.bodies import BenchmarkOrder, ProposalOrder
from aml.gateway.donations.views import Proposal, ProposalCreated, ProposalJudged, Proposals

from .connection import Connection, segment


class ProposalCalls:
    connection: Connection

    async def propose_benchmark(self, order: BenchmarkOrder) -> ProposalCreated:
        """With a participant's key the proposal is linked to it; it needs none."""
        return await self.connection.create("/benchmark-proposals", order, ProposalCreated)

    async def send_package(self, proposal_id: str, file: Path) -> Proposal:
        """As the proposal's token or its key. Raises `OSError` for a file that cannot be read."""
        return await self.connection.upload(
            f"/benchmark-proposals/{segment(proposal_id)}/package", file, Proposal, filename=file.name
        )

    async def proposals(
        self, state: str | None = None, *, limit: int | None = None, offset: int | None = None
    ) -> Proposals:
        return await self.connection.get("/benchmark-proposals", Proposals, state=state, limit=limit, offset=offset)

    async def proposal(self, proposal_id: str) -> Proposal:
        return await self.connection.get(f"/benchmark-proposals/{segment(proposal_id)}", Proposal)

    async def package(self, proposal_id: str) -> bytes:
        return await self.connection.get_bytes(f"/benchmark-proposals/{segment(proposal_id)}/package")

    async def judge_proposal(self, proposal_id: str, decision: ProposalDecision, reason: str) -> ProposalJudged:
        order = ProposalOrder(decision=decision, reason=reason)
        return await self.connection.post(
            f"/benchmark-proposals/{segment(proposal_id)}/decision", order, ProposalJudged
        )
