"""Benchmarks that somebody offers."""

from aml.gateway.donations.bodies import BenchmarkOrder, ProposalOrder
from aml.gateway.donations.package_report import DataReport, MemberReport, PackageReport
from aml.gateway.donations.views import (
    Decided,
    Package,
    Proposal,
    ProposalCreated,
    ProposalItem,
    ProposalJudged,
    Proposals,
)

from .invented import APPLIED_AT, APPROVED_AT, DIGEST, PROPOSAL_ID, PROPOSAL_TOKEN, REVIEWER_ID
from .route_example import DAY_USED_UP, KEY_REUSED, Conflict, RouteExample, Wait

_ORDER = BenchmarkOrder(
    contact="Cem Example",
    email="cem@example.org",
    organisation="Example Archive",
    title="Letters over forty years",
    track="textual",
    scale="20 correspondences, 400 questions, about 900,000 words",
    measures="What is still known of a person after years in which nobody mentioned them.",
    sample='{"question": "Who sold the orchard?", "answer": "Mira", "evidence": ["letter-12"]}',
    license="CC-BY-4.0",
    provenance=("https://archive.example.org/letters",),
)
_PACKAGE = Package(
    name="letters.zip",
    bytes=1_482_113,
    sha256=DIGEST,
    packaged_at=APPLIED_AT,
    report=PackageReport(
        format="zip",
        content_bytes=5_120_044,
        members=(
            MemberReport(
                name="questions.jsonl",
                bytes=118_020,
                data=DataReport(format="jsonl", rows=400, fields=("question", "answer", "evidence")),
            ),
        ),
        missing=("readme",),
    ),
)
_PROPOSAL = Proposal(
    proposal_id=PROPOSAL_ID,
    state="more_asked",
    created_at=APPLIED_AT,
    key_id=None,
    proposal=_ORDER,
    package=_PACKAGE,
    decisions=(
        Decided(
            number=1,
            decision="ask_for_more",
            reason="please add a README with how the answers were checked",
            reviewer=REVIEWER_ID,
            decided_at=APPROVED_AT,
        ),
    ),
)
_DECIDED = Conflict("already_decided", "this proposal is accepted; it stays so")
_UPLOADING = Wait("uploads_of_address", "4 packages from your address are being received already", 10)

EXAMPLES = {
    "propose_benchmark": RouteExample(
        about="Needs no key; a participant's key links the proposal to it. Keep the token: it reads the proposal and sends"
        " its package.",
        request=_ORDER,
        answer=ProposalCreated(
            proposal_id=PROPOSAL_ID, state="submitted", proposal_token=PROPOSAL_TOKEN, max_package_bytes=67_108_864
        ),
        conflicts=(KEY_REUSED,),
        waits=(DAY_USED_UP,),
        invalid=("license", "Expected `str` matching regex"),
    ),
    "list_proposals": RouteExample(
        answer=Proposals(
            proposals=(
                ProposalItem(
                    proposal_id=PROPOSAL_ID,
                    state="submitted",
                    created_at=APPLIED_AT,
                    key_id=None,
                    title=_ORDER.title,
                    organisation=_ORDER.organisation,
                    track=_ORDER.track,
                    license=_ORDER.license,
                    package_bytes=_PACKAGE.bytes,
                ),
            )
        ),
    ),
    "read_proposal": RouteExample(
        about="Takes the proposal's token, the key that it is linked to, or a reviewer's or operator's key.",
        answer=_PROPOSAL,
    ),
    "put_package": RouteExample(
        about="The body is the file itself, streamed to disk and read to its end before anything is kept. Archives that"
        " inflate beyond bounds, name paths outside themselves or hold other archives are refused whole.",
        request='{"question": "Who sold the orchard?", "answer": "Mira", "evidence": ["letter-12"]}\n',
        answer=_PROPOSAL,
        conflicts=(_DECIDED,),
        waits=(_UPLOADING,),
        invalid=("package", "../questions.jsonl leads out of the archive"),
    ),
    "get_package": RouteExample(
        about="As it was sent: untrusted bytes.", answer="PK (the bytes of the file)", unknown="package"
    ),
    "decide_proposal": RouteExample(
        about="Each decision is a fact in the log. Nobody decides on their own proposal (403 `own_system`).",
        request=ProposalOrder(decision="accept", reason="clean, licensed and new to the suite"),
        answer=ProposalJudged(proposal_id=PROPOSAL_ID, number=2, decision="accept", state="accepted"),
        conflicts=(_DECIDED,),
    ),
}
