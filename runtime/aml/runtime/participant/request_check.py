"""Outgoing requests judged before anybody is called: what the platform may send, by its own contract. Pure.

A fault here is the data's or ours, never the participant's, so its reason is `internal`.
"""

from typing import Final

from aml.contracts.participant import AddRequest, ImagePart, SearchRequest, TextPart

from .errors import MediaRefused, RequestRefused
from .media_check import image_bytes

MAX_REQUEST_BYTES: Final = 30 * 1024 * 1024
"""Of the encoded request."""


def check_add_request(request: AddRequest, size: int, *, allow_parts: bool) -> None:
    """`size` is the encoded request's. Raises `RequestRefused`. A textual request costs one type check a message."""
    parts = False
    for number, message in enumerate(request.messages):
        if not isinstance(message.content, str):
            parts = True
            _check_parts(message.content, f"$.messages[{number}].content", allow_parts=allow_parts)
    if parts:
        _check_size(size)


def check_search_request(request: SearchRequest, size: int, *, allow_parts: bool) -> None:
    if not isinstance(request.query, str):
        _check_parts(request.query, "$.query", allow_parts=allow_parts)
        _check_size(size)


def _check_parts(parts: tuple[TextPart | ImagePart, ...], path: str, *, allow_parts: bool) -> None:
    if not allow_parts:
        raise RequestRefused("content has parts, which only the multimodal track sends", path=path)
    if not parts:
        raise RequestRefused("content has no parts", path=path)
    for number, part in enumerate(parts):
        if isinstance(part, TextPart):
            if not part.text:
                raise RequestRefused("the text part is empty", path=f"{path}[{number}].text")
        else:
            _check_image(part.image_url.url, f"{path}[{number}].image_url.url")


def _check_image(url: str, path: str) -> None:
    try:
        image_bytes(url, path)
    except MediaRefused as error:
        raise RequestRefused(error.problem, path=path) from None


def _check_size(size: int) -> None:
    if size > MAX_REQUEST_BYTES:
        raise RequestRefused(f"the request is {size} bytes; at most {MAX_REQUEST_BYTES} are sent in one call")
