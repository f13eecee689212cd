"""The usual Search response, read into its shape in C and proven to hold nothing else. Pure; it never says what is wrong."""

from types import NoneType
from typing import Final, NamedTuple

import msgspec

from aml.contracts.participant import Memory, SearchResponse

from .strict_json import count_strings, may_have_long_number

_PLAIN_BYTES: Final = 1 << 18
"""No more than ten thousand items, which may be built before they are judged."""

_decoder: Final = msgspec.json.Decoder(SearchResponse)
_encoder: Final = msgspec.json.Encoder()


class Found(NamedTuple):
    memories: tuple[Memory, ...]
    encoded: bytes
    """The same as JSON, as evidence keeps them."""


def found_plainly(body: bytes, top_k: int) -> Found | None:
    """The usual response, read into its shape in C. None where something is or may be wrong or unknown: the slower way tells.

    Nothing is in there but what was decoded, and that is flat and short, if the body is what we would write ourselves, or
    if its strings are accounted for; only numbers can still be too long.
    """
    if len(body) > _PLAIN_BYTES:
        return None
    try:
        memories = _decoder.decode(body).data
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if len(memories) > top_k or may_have_long_number(body) or not are_texts(memories):
        return None
    encoded = _encoder.encode(memories)
    if body == b'{"data":%b}' % encoded or count_strings(body) == _strings_in(memories):
        return Found(memories, encoded)
    return None


def _strings_in(memories: tuple[Memory, ...]) -> int:
    """The fewest that a body of these can have: its keys, and its values that are strings. An unknown member, a `null` or a key
    that comes twice is a string more."""
    count = len(memories)
    scored = count - [memory.score for memory in memories].count(None)
    dates = list(map(type, [memory.created_at for memory in memories]))
    dated = count - dates.count(NoneType)
    keys = 1 + 2 * count + scored + dated
    return keys + 2 * count + dates.count(str)


def are_texts(memories: tuple[Memory, ...]) -> bool:
    contents = [memory.content for memory in memories]
    return all(contents) and set(map(type, contents)) <= {str}
