"""Whom a reviewer belongs to, so that nobody decides on their own organisation's system."""

from litestar import put
from litestar.params import FromPath, JSONBody

from aml.contracts.decisions import DecisionExplained
from aml.gateway.edge.authorise import OPERATORS
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import FieldsInvalid, Unknown
from aml.gateway.names import known
from aml.gateway.review.bodies import ReviewerLinkOrder
from aml.gateway.review.own_system import ReviewerLink, load_key_role, set_reviewer_link
from aml.gateway.storage.outbox import enqueue

from .views import ReviewerLinked


@put("/operator/keys/{key_id:str}/reviewer-link", summary="Say whom a reviewer belongs to", guards=[OPERATORS])
async def link_reviewer(
    parts: GivenParts, caller: GivenCaller, key_id: FromPath[str], data: JSONBody[ReviewerLinkOrder]
) -> ReviewerLinked:
    async with parts.database.transaction() as connection:
        role = await load_key_role(connection, known("key", key_id))
        if role is None:
            raise Unknown("key", key_id)
        if role == "participant":
            raise FieldsInvalid({"key_id": "is a participant's key; link a reviewer's or an operator's"})
        linked = data.participant_key_id
        if linked is not None and await load_key_role(connection, linked) != "participant":
            raise FieldsInvalid({"participant_key_id": "is no participant's key"})
        link = ReviewerLink(organisation=data.organisation, participant_key_id=linked)
        number = await set_reviewer_link(connection, key_id, link, caller.key_id)
        fact = DecisionExplained(
            at=parts.clock.now_ms(),
            decision="reviewer_linked",
            about=key_id,
            number=number,
            by=caller.key_id,
            reason=_in_words(link),
        )
        await enqueue(connection, fact)
    parts.outbox.wake()
    return ReviewerLinked(key_id=key_id, organisation=data.organisation, participant_key_id=linked)


def _in_words(link: ReviewerLink) -> str:
    organisation = f"organisation {link.organisation!r}" if link.organisation is not None else ""
    key = f"key {link.participant_key_id}" if link.participant_key_id is not None else ""
    return ", ".join(filter(None, (organisation, key))) or "nobody"
