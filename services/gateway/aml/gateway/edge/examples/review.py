"""Review, publication and the deletion of evaluation data."""

import msgspec

from aml.contracts.fair_play import FlagCount
from aml.gateway.review.bodies import AttestationOrder, NoteOrder, ReviewOrder
from aml.gateway.review.views import (
    Attestation,
    Attestations,
    DecisionRow,
    Decisions,
    DisclosureTime,
    DuplicateOf,
    FairPlayEvidence,
    FlaggedMemory,
    FlaggedQuestion,
    IsolationProbe,
    NoteRow,
    Reviewed,
    ReviewFile,
    ReviewItem,
    Reviews,
    SimilarResult,
)

from .access import APPLICATION
from .invented import (
    ACCESS_ID,
    APPLIED_AT,
    APPROVED_AT,
    DUE_AT,
    EARLIER_JOB_ID,
    ENDED_AT,
    JOB_ID,
    KEY_ID,
    REVIEWER_ID,
    STARTED_AT,
    UNIT,
    VERSION_ID,
)
from .results import RESULTS
from .route_example import Conflict, RouteExample

_ITEM = ReviewItem(
    job_id=JOB_ID,
    key_id=KEY_ID,
    version_id=VERSION_ID,
    system="Recall",
    version="2.1.0",
    track="textual",
    division="open_source",
    arm="participant",
    mode="full",
    run_label="autumn, first try",
    requested_at=STARTED_AT,
    origin="participants",
    decision=None,
    results=msgspec.structs.replace(RESULTS, gate="passed", checks=RESULTS.checks[:1]),
)
_NOTE = NoteRow(
    number=1, author=REVIEWER_ID, text="The commit builds; results agree with its paper.", written_at=ENDED_AT
)
_DECISION = DecisionRow(
    number=1, decision="approve", reason="checks, disclosure and code agree", reviewer=REVIEWER_ID, decided_at=ENDED_AT
)
_FLAGGED = FairPlayEvidence(
    total=1,
    questions=(
        FlaggedQuestion(
            unit=UNIT,
            dataset="practice",
            sample="p-003",
            item=7,
            returned=24,
            flags=(FlagCount(kind="foreign", items=1),),
            evidence="shown",
            memories=(
                FlaggedMemory(
                    position=0, kinds=("foreign",), id="m-118", text="A sentence that nobody wrote to this user."
                ),
            ),
        ),
    ),
    probes=(
        IsolationProbe(unit="isolation/0", sample="p-003", outcome="kept", returned=0, evidence="none", memories=()),
    ),
)
_THEIRS = DisclosureTime(disclosed_at=APPROVED_AT, log_index=388, changes=0)
_ATTESTED = Attestation(
    job_id=JOB_ID,
    key_id=KEY_ID,
    organisation="Example Lab",
    system="Recall",
    version="2.1.0",
    run_label="autumn, first try",
    ended_at=ENDED_AT,
    due_at=DUE_AT,
    state="attested",
    attested_at=ENDED_AT,
    late=False,
    statement="Dropped the index and its backups on 7 September.",
)

EXAMPLES = {
    "read_reviews": RouteExample(answer=Reviews(reviews=(_ITEM,))),
    "read_review_file": RouteExample(
        about="Gate checks, fair-play measures, disclosure, duplicates by code, endpoint and result with whose disclosure"
        " came first, notes and decisions. What a participant's system returned is untrusted text.",
        answer=ReviewFile(
            item=_ITEM,
            possible=("approve", "decline", "ask_for_more", "disqualify"),
            own_system=False,
            application=msgspec.structs.replace(APPLICATION, memory_system_key=None),
            access_id=ACCESS_ID,
            mine=DisclosureTime(disclosed_at=APPLIED_AT, log_index=341, changes=0),
            fair_play=_FLAGGED,
            duplicates=(
                DuplicateOf(
                    matches=("repository",),
                    version_id="ver-3h7j5lp9",
                    key_id="key-8d2f4gk6",
                    same_key=False,
                    system="Recall fork",
                    version="0.3",
                    organisation="Another Lab",
                    theirs=_THEIRS,
                    first="this",
                ),
            ),
            similar=(
                SimilarResult(
                    job_id=EARLIER_JOB_ID,
                    likeness=871_000,
                    exact=False,
                    duplicate=False,
                    version_id="ver-3h7j5lp9",
                    key_id="key-8d2f4gk6",
                    same_key=False,
                    system="Recall fork",
                    version="0.3",
                    overall=688_000,
                    requested_at=STARTED_AT,
                    theirs=_THEIRS,
                    first="this",
                ),
            ),
            notes=(_NOTE,),
            decisions=(),
        ),
        conflicts=(Conflict("gate_not_passed", "this job has not passed the gate; only what passed is reviewed"),),
    ),
    "read_fair_play": RouteExample(about="Flags show where to look; none of them changes a score.", answer=_FLAGGED),
    "write_note": RouteExample(
        about="For reviewers and operators only. A note is no fact and enters no log.",
        request=NoteOrder(text=_NOTE.text),
        answer=_NOTE,
    ),
    "decide_review": RouteExample(
        about="Each decision is a fact in the log, with its reason; the last one stands. Nobody decides on their own"
        " system (403 `own_system`).",
        request=ReviewOrder(decision="approve", reason=_DECISION.reason),
        answer=Reviewed(job_id=JOB_ID, number=1, decision="approve"),
        conflicts=(
            Conflict("gate_not_passed", "this job has not passed the gate; only what passed is reviewed"),
            Conflict("decision_not_possible", "after disqualify nothing else can be decided"),
        ),
    ),
    "read_decisions": RouteExample(answer=Decisions(decisions=(_DECISION,))),
    "attest_deletion": RouteExample(
        about="Due within 30 days of the job's end. Statement and time stand; a second one is refused.",
        request=AttestationOrder(statement=_ATTESTED.statement or ""),
        answer=_ATTESTED,
        conflicts=(
            Conflict("already_attested", "the deletion was attested for this job; that statement stands"),
            Conflict("job_active", "this job is running; attest once it has ended", {"job_id": JOB_ID}),
        ),
    ),
    "list_attestations": RouteExample(
        answer=Attestations(
            attestations=(msgspec.structs.replace(_ATTESTED, state="open", attested_at=None, statement=None),)
        ),
    ),
}
