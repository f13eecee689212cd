"""The participant contract `cycle-2`: the two HTTP calls, and where a participant is reached."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from .envelope import Count, Micros, Millis

CONTRACT_VERSION = "cycle-2"

AuthScheme = Literal["token", "bearer", "x-api-key", "none"]


class TextPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="text"):
    text: str


class ImageUrl(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str
    """A `data:` URI of a JPEG, PNG or WebP."""


class ImagePart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="image_url"):
    image_url: ImageUrl


Content = str | tuple[TextPart | ImagePart, ...]


class Message(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    role: str
    content: Content
    timestamp: int | UnsetType = UNSET
    """Unix milliseconds, the dataset's; absent where the source has none."""


class AddRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fields in the order in which they are sent. Retries send the same bytes."""

    request_id: str
    messages: tuple[Message, ...]
    user_id: str
    session_id: str


class SearchRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: Content
    options: tuple[str, ...] | UnsetType = UNSET
    user_id: str
    top_k: int


class AddResponse(Struct, frozen=True, kw_only=True):
    """Unknown fields are ignored in what a participant sends, unlike in everything that is ours."""

    success: bool
    request_id: str
    user_id: str
    session_id: str


class Memory(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):  # it is in no cycle
    """One item of Search's `data`, as kept in evidence: the declared fields only."""

    id: Annotated[str, Meta(min_length=1)]
    content: Content
    score: float | None = None
    created_at: str | int | float | None = None


class SearchResponse(Struct, frozen=True, kw_only=True):
    data: tuple[Memory, ...]


class CallLimits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Seconds and bytes for one call to a participant."""

    connect_seconds: float = 10.0
    first_byte_seconds: float = 1800.0
    total_seconds: float = 1800.0
    max_response_bytes: int = 30 * 1024 * 1024


class StatusPolling(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How an Add that answered 202 is asked after. The request's own total limit ends the asking."""

    first_seconds: float = 0.25
    growth: float = 1.5
    """Each wait is this many times the one before."""
    cap_seconds: float = 15.0


class ParticipantTarget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where and how a participant is called. Kept as evidence of the job, never in an event."""

    add_url: str
    search_url: str
    health_url: str | None = None
    add_status_url: str | None = None
    """With `{task_id}` in its path or query. Without it, an Add that answers 202 broke the contract."""
    auth: AuthScheme = "none"
    secret_id: str | None = None
    """Opaque id in the vault; the key itself is nowhere else."""
    limits: CallLimits = field(default_factory=CallLimits)


class Attempt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One request to a participant. It finished `latency_us` after `started_ms`."""

    number: Count
    """From 1 within its kind."""
    started_ms: Millis
    latency_us: Micros
    """From the call's start (a pooled connection, or a new one) to the last byte read or the failure."""
    status: int | None
    """None where no status line came."""
    bytes_read: Count
    """Of the body."""
    layer: str | None
    """The layer that failed; None for a success."""
    poll: bool = False
    """A question after an Add that answered 202, rather than an Add itself."""


class AttemptLog(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Evidence of how often, when and with what end a participant was called for one unit."""

    call: Literal["add", "search"]
    attempts: tuple[Attempt, ...]
    """In the order of their start."""
