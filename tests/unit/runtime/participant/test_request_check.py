"""What the platform itself may send."""

import base64
from typing import Any

import pytest

from aml.contracts.participant import AddRequest, ImagePart, ImageUrl, Message, SearchRequest, TextPart
from aml.runtime.participant.errors import RequestRefused
from aml.runtime.participant.request_check import MAX_REQUEST_BYTES, check_add_request, check_search_request

PNG = b"\x89PNG\r\n\x1a\n" + bytes(16)


def an_image(data: bytes = PNG, kind: str = "png") -> ImagePart:
    return ImagePart(image_url=ImageUrl(url=f"data:image/{kind};base64,{base64.b64encode(data).decode()}"))


def an_add(content: Any) -> AddRequest:
    messages = (Message(role="user", content="before"), Message(role="user", content=content))
    return AddRequest(request_id="r", messages=messages, user_id="u", session_id="s")


def test_text_and_ordered_parts_pass() -> None:
    check_add_request(an_add("tea"), MAX_REQUEST_BYTES * 2, allow_parts=False)
    parts = (TextPart(text="before"), an_image(), TextPart(text="after"))
    check_add_request(an_add(parts), 100, allow_parts=True)
    check_search_request(SearchRequest(query=parts, user_id="u", top_k=1), 100, allow_parts=True)


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ((), ""),
        ((TextPart(text=""),), "[0].text"),
        ((TextPart(text="a"), an_image(kind="jpeg")), "[1].image_url.url"),
        ((ImagePart(image_url=ImageUrl(url="https://example.org/a.png")),), "[0].image_url.url"),
        ((an_image(PNG + bytes(10 << 20)),), "[0].image_url.url"),
    ],
)
def test_bad_parts_are_refused_where_they_stand(content: Any, path: str) -> None:
    with pytest.raises(RequestRefused) as raised:
        check_add_request(an_add(content), 100, allow_parts=True)
    assert raised.value.path == f"$.messages[1].content{path}"
    with pytest.raises(RequestRefused) as raised:
        check_search_request(SearchRequest(query=content, user_id="u", top_k=1), 100, allow_parts=True)
    assert raised.value.path == f"$.query{path}"
    assert (raised.value.unscored_reason, raised.value.retryable) == ("internal", False)


def test_parts_belong_to_the_multimodal_track() -> None:
    with pytest.raises(RequestRefused, match="multimodal"):
        check_add_request(an_add((TextPart(text="a"),)), 100, allow_parts=False)


def test_a_request_with_media_has_a_size() -> None:
    check_add_request(an_add((an_image(),)), MAX_REQUEST_BYTES, allow_parts=True)
    with pytest.raises(RequestRefused, match="at most"):
        check_add_request(an_add((an_image(),)), MAX_REQUEST_BYTES + 1, allow_parts=True)
