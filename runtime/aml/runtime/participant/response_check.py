"""Response bodies judged against the contract and made into its shapes. Pure; every error has its JSON path.

Nothing is mended, truncated or reordered. Unknown fields are ignored. `null` counts as absent where a field is optional.
"""

import math
import re
from itertools import chain, islice
from typing import Any, Final

import msgspec

from aml.contracts.participant import Content, ImagePart, ImageUrl, Memory, TextPart

from .errors import EchoMismatched, LimitExceeded, SchemaViolated
from .media_check import check_total, image_bytes
from .plain_response import Found, are_texts, found_plainly
from .strict_json import MAX_VALUES, count_values, read_json, skeleton, skeleton_parts

ECHOED: Final = ("request_id", "user_id", "session_id")

_SUSPICIOUS_VALUES: Final = 32
"""Values an item, from which on `data` is counted before it is built."""

_HARMLESS_VALUES: Final = 20_000
"""Two megabytes once built: not worth counting."""

_FLAT_ARRAY: Final = re.compile(rb"\[[^\[\]{}]*\]")

_STRUCTURE: Final = re.compile(rb"[\[\]{},]")


class _DataOnly(msgspec.Struct):
    """Other fields are skipped; `data` stays the bytes that it was."""

    data: msgspec.Raw = msgspec.Raw()


_data_decoder: Final = msgspec.json.Decoder(_DataOnly)
_encoder: Final = msgspec.json.Encoder()


def check_add_response(body: bytes, *, request_id: str, user_id: str, session_id: str) -> None:
    """Raises `JsonInvalid`, `SchemaViolated`, `EchoMismatched` or `LimitExceeded`."""
    value = as_object(read_json(body))
    if "success" not in value:
        raise SchemaViolated("success is missing", path="$.success")
    if value["success"] is not True:
        raise SchemaViolated(f"success is {kind_of(value['success'])}, not the boolean true", path="$.success")
    for name, sent in zip(ECHOED, (request_id, user_id, session_id), strict=True):
        path = f"$.{name}"
        if name not in value:
            raise SchemaViolated(f"{name} is missing", path=path)
        echoed = value[name]
        if not isinstance(echoed, str):
            raise SchemaViolated(f"{name} is {kind_of(echoed)}, not a string", path=path)
        # Code points are equal exactly if the UTF-8 bytes are: no case folding, no normalisation.
        if echoed != sent:
            raise EchoMismatched(f"{name} came back as {_shown(echoed)} but was sent as {_shown(sent)}", path=path)


def check_search_response(body: bytes, *, top_k: int, allow_parts: bool = False) -> Found:
    """In the participant's order. Raises as above, and `MediaRefused` for image parts."""
    if not allow_parts and (found := found_plainly(body, top_k)) is not None:
        return found
    memories = _found_slowly(body, top_k, allow_parts)
    return Found(memories, _encoder.encode(memories))


def _found_slowly(body: bytes, top_k: int, allow_parts: bool) -> tuple[Memory, ...]:
    """Whatever else the body holds; says what is wrong with it."""
    outside = skeleton(body)
    if _more_items(body, outside, top_k):
        raise _too_many(top_k)
    value = as_object(read_json(body, outside=outside))
    if "data" not in value:
        raise SchemaViolated(
            "data is missing", path="$.data", advice='return {"data": [...]}, [] when nothing is found'
        )
    data = value["data"]
    if not isinstance(data, list):
        raise SchemaViolated(f"data is {kind_of(data)}, not an array", path="$.data")
    if len(data) > top_k:
        raise _too_many(top_k)
    if not allow_parts and (memories := _converted(data)) is not None:
        return memories
    media = [0]
    memories = tuple([_memory(item, index, media if allow_parts else None) for index, item in enumerate(data)])
    check_total(media[0])
    return memories


def _converted(data: list[Any]) -> tuple[Memory, ...] | None:
    """Checked in C, whatever else the items hold. None as above: the item's own check then says what is wrong."""
    try:
        memories = msgspec.convert(data, tuple[Memory, ...])
    except msgspec.ValidationError:
        return None
    return memories if are_texts(memories) else None


def _memory(item: Any, index: int, media: list[int] | None) -> Memory:
    if type(item) is not dict:
        raise SchemaViolated(f"the item is {kind_of(item)}, not an object", path=f"$.data[{index}]")
    identity = item.get("id")
    if type(identity) is not str or not identity:
        raise _field(item, index, "id", "a non-empty string")
    content: Any = item.get("content")
    if type(content) is not str or not content:
        if media is None or type(content) is not list or not content:
            raise _field(item, index, "content", "a non-empty string")
        content = _parts(content, f"$.data[{index}].content", media)
    score = item.get("score")
    if score is not None:
        if type(score) is not float and type(score) is not int:
            raise _field(item, index, "score", "a number")
        if not math.isfinite(score):
            raise _field(item, index, "score", "a finite number")
        score = float(score)
    created_at = item.get("created_at")
    if created_at is not None and type(created_at) not in (str, int, float):
        raise _field(item, index, "created_at", "a string or a number")
    return Memory(id=identity, content=content, score=score, created_at=created_at)


def _parts(parts: list[Any], path: str, media: list[int]) -> Content:
    return tuple([_part(part, f"{path}[{number}]", media) for number, part in enumerate(parts)])


def _part(part: Any, path: str, media: list[int]) -> TextPart | ImagePart:
    if type(part) is not dict:
        raise SchemaViolated(f"the part is {kind_of(part)}, not an object", path=path)
    match part.get("type"):
        case "text":
            text = part.get("text")
            if type(text) is not str or not text:
                raise SchemaViolated("text is missing or not a non-empty string", path=f"{path}.text")
            return TextPart(text=text)
        case "image_url":
            image = part.get("image_url")
            url = image.get("url") if type(image) is dict else None
            if type(url) is not str:
                raise SchemaViolated("image_url.url is missing or not a string", path=f"{path}.image_url.url")
            media[0] += image_bytes(url, f"{path}.image_url.url")
            check_total(media[0])
            return ImagePart(image_url=ImageUrl(url=url))
    raise SchemaViolated('type is neither "text" nor "image_url"', path=f"{path}.type")


def _more_items(body: bytes, outside: bytes, top_k: int) -> bool:
    """True where `data` has more than `top_k` items, found without building one of them.

    Only a body of suspiciously many values is walked, and only up to the first item too many. A body that this cannot read
    is left to the reader, which says what is wrong with it.
    """
    if count_values(outside) <= max(_HARMLESS_VALUES, _SUSPICIOUS_VALUES * (top_k + 1)):
        return False
    try:
        data = bytes(_data_decoder.decode(body).data)
    except (msgspec.MsgspecError, RecursionError):
        return False
    if not data.startswith(b"["):
        return False
    depth = items = 0
    parts = skeleton_parts(data)
    # Vectors inside of items go first, at the speed of C; `data` itself keeps its bracket and so is none of them.
    inner = chain((b"[", next(parts)[1:]), parts)
    marks = (found[0] for part in inner for found in _STRUCTURE.finditer(_FLAT_ARRAY.sub(b"", part)))
    for char in islice(marks, MAX_VALUES):
        if char == b",":
            items += depth == 1
            if items >= top_k:
                return True
        else:
            depth += 1 if char in b"[{" else -1
    return False


def as_object(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise SchemaViolated(f"the body is {kind_of(value)}, not an object", path="$")
    return value


def _field(item: dict[str, Any], index: int, name: str, wanted: str) -> SchemaViolated:
    path = f"$.data[{index}].{name}"
    if name not in item:
        return SchemaViolated(f"{name} is missing", path=path)
    return SchemaViolated(f"{name} is {kind_of(item[name])}, not {wanted}", path=path)


def _too_many(top_k: int) -> LimitExceeded:
    return LimitExceeded(
        f"data has more than top_k = {top_k} items",
        path=f"$.data[{top_k}]",
        advice="cut the list at the request's top_k",
    )


def _shown(identity: str) -> str:
    """Whole or not at all: a text that was cut may end in a part of a key, which nobody could take out any more."""
    return repr(identity) if len(identity) <= 160 else f"a string of {len(identity)} characters"


def kind_of(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return "an empty string" if not value else "a string"
        case int() | float():
            return "a number"
        case list():
            return "an array" if value else "an empty array"
        case _:
            return "an object"
