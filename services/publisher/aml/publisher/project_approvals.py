"""The publisher's read model as a projector: made anew from any source of events, and compared by its digest."""

import hashlib
from collections.abc import Iterable, Sequence

from aml.contracts.access import Disclosed
from aml.contracts.boards import BoardPublished, ReviewDecided
from aml.contracts.events import Event, encode_event
from aml.contracts.seals import GatePassed
from aml.rules.identity import subject_of

from .collect_board import Approvals


class ApprovalsProjector:
    """Wakes nobody: its state has no `on_change`."""

    def __init__(self) -> None:
        self.state = Approvals()

    async def apply(self, events: Sequence[Event]) -> None:
        for event in events:
            self.state.apply(event)

    async def digest(self) -> str:
        return digest_of(self.state)


def digest_of(state: Approvals) -> str:
    """Over the facts that count, by their subjects: neither the order nor the way they came shows in it."""
    facts: Iterable[GatePassed | ReviewDecided | BoardPublished | Disclosed] = (
        *state.gates.values(),
        *state.reviews.values(),
        *state.published.values(),
        *state.disclosures.values(),
    )
    hasher = hashlib.sha256()
    for _, data in sorted((subject_of(fact), encode_event(fact)) for fact in facts):
        hasher.update(data + b"\n")
    return hasher.hexdigest()
