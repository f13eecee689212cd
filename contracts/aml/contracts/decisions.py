"""Who decided, and why, where the decision's own fact does not say it. Its first version is published and stays as it is."""

from typing import Literal

from .envelope import Count, Fact, Token

ExplainedDecision = Literal[
    "access_approved", "endpoint_check_overridden", "key_issued", "key_revoked", "reviewer_linked"
]


class DecisionExplained(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="decision_explained.v1"
):
    decision: ExplainedDecision
    about: Token
    """The access request's id, or the key's."""
    number: Count
    """From 1 for each decision about it; above 1 only for what can be decided anew."""
    by: Token
    """The key of whoever decided."""
    reason: str
    """May be empty for an approval, and for a key that was made. Of a link: whom the reviewer belongs to."""
