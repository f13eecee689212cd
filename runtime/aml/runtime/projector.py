"""A projector folds events into something to read. It is no reactor.

A reactor (`reactors.react`) is a function that is called with an event and acts on the world: it holds the bus, an evidence
store, a participant. A projector is an object with `apply` and `digest`, made from where its rows go and nothing else; it
cannot be called, so it cannot be registered as a reactor, and it holds no bus, so running it over all of history again
sends nothing to anybody. The architecture tests hold the modules of every projector to that.
"""

from collections.abc import Sequence
from typing import Protocol

from aml.contracts.events import Event


class Projector(Protocol):
    async def apply(self, events: Sequence[Event]) -> None:
        """Idempotent: the same events again change nothing that `digest` looks at."""

    async def digest(self) -> str:
        """SHA-256, lower-case hex, over the canonical form of all that was folded; equal states, equal digests."""
