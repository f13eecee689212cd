"""What callers may send. Shapes and bounds only; what a field means for another one is decided beside the use case."""

from msgspec import Struct

from aml.contracts.envelope import Token
from aml.contracts.seals import Decision
from aml.gateway.edge.text_bounds import Name, Reason


class ReviewOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    decision: Decision
    reason: Reason


class NoteOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    text: Reason
    """For reviewers and operators only; it is no fact and enters no log."""


class AttestationOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    statement: Reason
    """What was deleted, where and when, in one's own words."""


class ReviewerLinkOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whom a reviewer or operator belongs to; both None takes the link away."""

    organisation: Name | None = None
    participant_key_id: Token | None = None
    """A participant's key that the same person or team holds."""
