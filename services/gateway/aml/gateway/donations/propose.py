"""The donor's side: offer a benchmark, and see how the offer stands."""

import hashlib
import secrets
from typing import Annotated, Any

import msgspec
from litestar import Request, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from aml.contracts.proposals import BenchmarkProposed
from aml.gateway.edge.authorise import ANY_ROLE, participant_or_nobody
from aml.gateway.edge.idempotency import IdempotencyKey, create_once, fingerprint
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.edge.rate_limit import address_of
from aml.gateway.keys.keys import hash_key
from aml.gateway.names import new_id
from aml.gateway.storage.database import Connection
from aml.gateway.storage.outbox import enqueue

from .bodies import BenchmarkOrder
from .package_report import PackageReport
from .proposal_access import require_proposal
from .proposal_queries import ProposalRow, add_proposal, load_decisions, load_proposal_page
from .views import Decided, Package, Proposal, ProposalCreated, ProposalItem, Proposals, ProposalState


@post("/benchmark-proposals", summary="Offer a benchmark; a participant's key links it, and none is needed")
async def propose_benchmark(
    request: Request[Any, Any, Any],
    parts: GivenParts,
    data: JSONBody[BenchmarkOrder],
    idempotency_key: IdempotencyKey = None,
) -> ProposalCreated:
    caller = await participant_or_nobody(request, parts)

    async def create(connection: Connection) -> ProposalCreated:
        if caller is None:
            parts.strangers.admit(address_of(request.scope, parts.settings.rate.proxies))
        proposal_id, token = new_id("prop"), f"proposal_{secrets.token_urlsafe(32)}"
        proposal = msgspec.json.encode(data, order="sorted")
        key_id = caller.key_id if caller else None
        await add_proposal(connection, proposal_id, proposal=proposal, key_id=key_id, token_hash=hash_key(token))
        await enqueue(
            connection,
            BenchmarkProposed(
                at=parts.clock.now_ms(),
                proposal_id=proposal_id,
                title=data.title,
                track=data.track,
                license=data.license,
                key_id=key_id,
                profile=hashlib.sha256(proposal).hexdigest(),
            ),
        )
        return ProposalCreated(
            proposal_id=proposal_id,
            state="submitted",
            proposal_token=token,
            max_package_bytes=parts.settings.donations.max_bytes,
        )

    # Nobody else's replay: without a key, the scope is the whole request.
    scope = caller.key_id if caller else f"public:{fingerprint(parts.kek, data).hex()}"
    return await create_once(
        parts, scope=scope, key=idempotency_key, request=data, shape=ProposalCreated, create=create
    )


@get("/benchmark-proposals", summary="Your proposals; all for reviewers and operators", guards=[ANY_ROLE])
async def list_proposals(
    parts: GivenParts,
    caller: GivenCaller,
    in_state: Annotated[ProposalState | None, QueryParameter(name="state")] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Proposals:
    key_id = caller.key_id if caller.role == "participant" else None
    async with parts.database.read() as connection:
        rows = await load_proposal_page(connection, key_id, in_state, limit, offset)
    return Proposals(proposals=tuple(_item(row) for row in rows))


@get(
    "/benchmark-proposals/{proposal_id:str}",
    summary="A proposal, its package and the decisions; takes its token or a key as the Bearer token",
)
async def read_proposal(request: Request[Any, Any, Any], parts: GivenParts, proposal_id: FromPath[str]) -> Proposal:
    async with parts.database.read() as connection:
        row = await require_proposal(connection, request, parts, proposal_id)
        return proposal_view(row, await load_decisions(connection, proposal_id))


def proposal_view(row: ProposalRow, decisions: list[Decided]) -> Proposal:
    return Proposal(
        proposal_id=row.proposal_id,
        state=row.state,
        created_at=row.created_at,
        key_id=row.key_id,
        proposal=msgspec.json.decode(row.proposal, type=BenchmarkOrder),
        package=_package(row),
        decisions=tuple(decisions),
    )


def _package(row: ProposalRow) -> Package | None:
    if row.package_sha256 is None:
        return None
    assert row.package_name is not None
    assert row.package_bytes is not None
    assert row.package_report is not None
    assert row.packaged_at is not None
    return Package(
        name=row.package_name,
        bytes=row.package_bytes,
        sha256=row.package_sha256,
        packaged_at=row.packaged_at,
        report=msgspec.json.decode(row.package_report, type=PackageReport),
    )


def _item(row: ProposalRow) -> ProposalItem:
    proposal = msgspec.json.decode(row.proposal, type=BenchmarkOrder)
    return ProposalItem(
        proposal_id=row.proposal_id,
        state=row.state,
        created_at=row.created_at,
        key_id=row.key_id,
        title=proposal.title,
        organisation=proposal.organisation,
        track=proposal.track,
        license=proposal.license,
        package_bytes=row.package_bytes,
    )
