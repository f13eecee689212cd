"""Requests and answers of the participant contract, made from its own shapes, so that no page shows a field that is not sent."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from aml.contracts.participant import (
    AddRequest,
    AddResponse,
    Content,
    ImagePart,
    ImageUrl,
    Memory,
    Message,
    SearchRequest,
    SearchResponse,
    TextPart,
)
from aml.contracts.vocabulary import Track

TOP_K: Final = 100
_ADDED_AT: Final = 1_767_225_600_000  # 2026-01-01T00:00:00Z


class Examples(Struct, frozen=True, kw_only=True):
    """JSON texts."""

    add_request: str
    add_response: str
    search_request: str
    search_response: str


def examples_of(track: Track) -> Examples:
    dataset, said, asked, kept = _CONTENTS[track]
    user, session = f"eval:RUN:{dataset}:sample-1", "eval:RUN:sample-1:session-1"
    request_id = f"{user}:chunk-0"
    options = ("A. The red one", "B. The blue one") if track == "multimodal" else msgspec.UNSET
    return Examples(
        add_request=_shown(
            AddRequest(
                request_id=request_id,
                messages=(Message(role="user", content=said, timestamp=_ADDED_AT),),
                user_id=user,
                session_id=session,
            )
        ),
        add_response=_shown(AddResponse(success=True, request_id=request_id, user_id=user, session_id=session)),
        search_request=_shown(SearchRequest(query=asked, options=options, user_id=user, top_k=TOP_K)),
        search_response=_shown(
            SearchResponse(data=(Memory(id="memory-17", content=kept, score=0.83, created_at="2026-01-01T00:00:00Z"),))
        ),
    )


def _image(kind: str) -> ImagePart:
    return ImagePart(image_url=ImageUrl(url=f"data:image/{kind};base64,iVBORw0KGgo…"))


_CONTENTS: Mapping[Track, tuple[str, Content, Content, Content]] = {
    "textual": (
        "conversations",
        "I moved to Lisbon in March and sold the car.",
        "Which city does the user live in?",
        "The user moved to Lisbon in March.",
    ),
    "coding": (
        "repositories",
        "The flaky test was a race: the fixture closed the pool before the last write.",
        "Why did the storage test fail now and then?",
        "A fixture closed the pool before the last write, so the storage test failed now and then.",
    ),
    "multimodal": (
        "albums",
        (TextPart(text="My new bicycle."), _image("jpeg")),
        (TextPart(text="Which bicycle is mine?"), _image("png")),
        (TextPart(text="The user's new bicycle."), _image("jpeg")),
    ),
}


def _shown(shape: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(shape), indent=2).decode()
