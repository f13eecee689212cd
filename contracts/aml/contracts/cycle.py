"""A cycle: one edition of the challenge. Its dates, tracks, prizes and contacts are data; no page and no rule holds them.

One file a cycle, `<cycle_id>.toml`; read by `aml.runtime.cycle_folder`.
"""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from .envelope import Token
from .release import Quotas
from .vocabulary import Division, Track

Instant = Annotated[datetime, Meta(tz=True)]
"""With its offset, as it was announced."""


class Words(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same in each language of the pages. Plain text."""

    en: str
    zh: str


class CycleTrack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    track: Track
    divisions: tuple[Division, ...]
    release_id: Token | None = None
    """The release that its full runs are under; None until it is announced. Its quotas are the ones that bind."""
    about: Words


class Prize(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    track: Track
    division: Division
    """The only division whose entries are eligible."""
    name: Words
    places: Annotated[int, Meta(ge=1)]
    amount: Annotated[int, Meta(ge=0)]
    """To each of the places, in whole units of `currency`."""
    currency: Annotated[str, Meta(pattern=r"^[A-Z]{3}(?!\n)$")]
    """ISO 4217."""
    award: Literal["rank", "jury"]


class Cycle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    cycle_id: Token
    name: Words
    about: Words
    timezone: Annotated[str, Meta(pattern=r"^UTC([+-][0-9]{1,2}(:[0-9]{2})?)?(?!\n)$")]
    """How the dates are announced, such as `UTC+8`. They carry the offset themselves; pages add UTC."""
    opens_at: Instant
    materials_close_at: Instant
    evaluation_closes_at: Instant
    publishes_at: Instant | None = None
    """None while only a span is announced."""
    published: Words
    """The publication date as it was announced."""
    tracks: tuple[CycleTrack, ...]
    eligibility: tuple[Words, ...]
    """What an entry must show to count."""
    quotas: Quotas
    """As announced for all tracks; shown where a track has no release yet."""
    prizes: tuple[Prize, ...]
    contact: str | None = None
    """An address for questions, as it is shown; None where the organiser has not given one."""
    repository: str | None = None
    """The challenge's own repository, an https URL."""
