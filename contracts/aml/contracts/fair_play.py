"""What the platform measured of fair play in a real run. Facts for the reviewer; none of them changes a score."""

from typing import Literal

from msgspec import Struct

from .envelope import Count, EvidenceRef, Token, UnitFact
from .participant import AddRequest, Memory, SearchRequest

FlagKind = Literal["foreign", "instruction", "option", "oversized"]
"""Of a returned memory: words that the job never wrote to this user, text that speaks to the answering model, an option of
the question word for word, or far more text than was ever written."""


class FlagCount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: FlagKind
    items: Count


class FlaggedItem(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    position: Count
    """In the participant's list, from 0."""
    kinds: tuple[FlagKind, ...]
    memory: Memory


class SearchFlagged(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="search_flagged.v1"
):
    """Something in what Search returned for this question is for the reviewer to see. No such fact: nothing was."""

    sample: Token
    index: Count
    dataset: Token
    returned: Count
    flags: tuple[FlagCount, ...]
    items: EvidenceRef
    """`tuple[FlaggedItem, ...]`, at most the first 20."""


class Canary(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fact for one user, and the search for it under another."""

    request: AddRequest
    search: SearchRequest
    name: str
    """The made-up name that must not come back."""


class CanaryPlanned(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="canary_planned.v1"
):
    """One isolation probe among the samples of a full run. Its user is no sample, and its question is not scored."""

    sample: Token
    """Under whose user id the canary is searched for."""
    canary: EvidenceRef
    """A `Canary`."""


class IsolationProbed(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="isolation_probed.v1"
):
    sample: Token
    outcome: Literal["kept", "leaked", "unanswered"]
    """`leaked`: the canary came back under the other user's id. `unanswered`: a call failed, which says nothing."""
    returned: Count
    calls: Count
    """Requests that the probe made, so that they can be told from the run's own."""
    memories: EvidenceRef | None
    """`tuple[Memory, ...]` of the Search; None where it was not answered."""
