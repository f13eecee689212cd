"""One operation's examples. Typed, so that a shape that changes and an example that does not are told apart at once."""

from typing import Any

from msgspec import Struct


class Conflict(Struct, frozen=True):
    """A 409 of this very operation."""

    reason: str
    message: str
    more: dict[str, Any] = {}


class Wait(Struct, frozen=True):
    """A 429 of this very operation."""

    reason: str
    problem: str
    seconds: int


class RouteExample(Struct, frozen=True, kw_only=True):
    about: str = ""
    """The operation's description, where its summary leaves something open. Markdown."""
    request: Struct | str | None = None
    answer: Struct | str
    """A text for what is no JSON."""
    conflicts: tuple[Conflict, ...] = ()
    """None: the operation cannot meet one, and documents no 409."""
    invalid: tuple[str, str] | None = None
    """A field that is wrong, and what is wrong with it."""
    waits: tuple[Wait, ...] = ()
    """Its own 429s, beside the rate limit's."""
    unknown: str = ""
    """What a 404 is about, where the path does not say it."""


KEY_REUSED = Conflict("idempotency_key_reused", "this Idempotency-Key was sent with another request; choose a new one")
"""Of every creation."""

DAY_USED_UP = Wait(
    "day_used_up",
    "50 requests without a key came from your address within a day; with a key there is no such limit",
    1728,
)
"""Of every creation that needs no key."""
