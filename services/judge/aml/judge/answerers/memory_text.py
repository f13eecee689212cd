"""A returned memory as the text that an answerer reads."""

from collections.abc import Sequence
from datetime import UTC, datetime

from aml.contracts.participant import ImagePart, Memory, TextPart

_IMAGE = "[image]"


def text_of(memory: Memory) -> str:
    """Text parts joined by line breaks; an image leaves a mark, since the answering models here read text."""
    content = memory.content
    return content if isinstance(content, str) else "\n".join(map(_part_text, content))


def texts_of(memories: Sequence[Memory]) -> list[str]:
    return [memory.content if type(memory.content) is str else text_of(memory) for memory in memories]


def created_on(memory: Memory) -> str | None:
    """The participant's `created_at`: a string as it is, a number as an ISO date.

    A number is Unix seconds, or milliseconds from 10^11 on.
    """
    stamp = memory.created_at
    if stamp is None or isinstance(stamp, str):
        return stamp or None
    seconds = stamp / 1000 if abs(stamp) >= 1e11 else stamp
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (
        ValueError,
        OverflowError,
        OSError,
    ):  # a year that the calendar does not have: the participant's nonsense, not an error
        return None


def _part_text(part: TextPart | ImagePart) -> str:
    return part.text if isinstance(part, TextPart) else _IMAGE
