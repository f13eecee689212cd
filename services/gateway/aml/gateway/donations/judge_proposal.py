"""What a reviewer decides about a proposal: a fact with a reason, bound to the package that was looked at.

The package of a declined one is deleted; its hash and report stay.
"""

from litestar import post
from litestar.params import FromPath, JSONBody

from aml.contracts.proposals import ProposalDecided, ProposalDecision
from aml.gateway.edge.authorise import REVIEWERS
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import StateConflict, Unknown
from aml.gateway.names import known
from aml.gateway.review.own_system import require_impartial
from aml.gateway.storage.outbox import enqueue

from .bodies import ProposalOrder
from .proposal_queries import add_decision, forget_package_file, load_proposal
from .propose import proposal_view
from .transfer import OPEN_STATES
from .views import ProposalJudged, ProposalState

_STATES: dict[ProposalDecision, ProposalState] = {
    "accept": "accepted",
    "decline": "declined",
    "ask_for_more": "more_asked",
}


@post(
    "/benchmark-proposals/{proposal_id:str}/decision",
    summary="Decide on a proposal",
    guards=[REVIEWERS],
    status_code=200,
)
async def decide_proposal(
    parts: GivenParts, caller: GivenCaller, proposal_id: FromPath[str], data: JSONBody[ProposalOrder]
) -> ProposalJudged:
    async with parts.database.transaction() as connection:
        row = await load_proposal(connection, known("proposal", proposal_id), lock=True)
        if row is None:
            raise Unknown("proposal", proposal_id)
        if row.state not in OPEN_STATES:
            raise StateConflict("already_decided", f"this proposal is {row.state}; it stays so")
        proposed = proposal_view(row, []).proposal
        await require_impartial(connection, caller, key_id=row.key_id, organisations=[proposed.organisation])
        number, state = row.decisions + 1, _STATES[data.decision]
        await add_decision(
            connection,
            proposal_id,
            number=number,
            decision=data.decision,
            reason=data.reason,
            reviewer=caller.key_id,
            state=state,
        )
        if data.decision == "decline":
            await forget_package_file(connection, proposal_id)
        await enqueue(
            connection,
            ProposalDecided(
                at=parts.clock.now_ms(),
                proposal_id=proposal_id,
                number=number,
                decision=data.decision,
                reviewer=caller.key_id,
                reason=data.reason,
                package=row.package_sha256,
            ),
        )
    parts.outbox.wake()
    if data.decision == "decline" and row.package_file is not None:
        await parts.packages.discard(
            row.package_file
        )  # data that nobody wants is not kept; a crash here leaves it to the sweep
    return ProposalJudged(proposal_id=proposal_id, number=number, decision=data.decision, state=state)
