import base64
import json
import tracemalloc
import unicodedata
from typing import Any

import msgspec
import pytest

from aml.contracts.participant import ImagePart, Memory, TextPart
from aml.runtime.participant.errors import (
    EchoMismatched,
    LimitExceeded,
    MediaRefused,
    ParticipantError,
    SchemaViolated,
)
from aml.runtime.participant.response_check import check_add_response, check_search_response

IDS = {"request_id": "eval:r:d:s:chunk-0", "user_id": "eval:r:d:s", "session_id": "eval:r:s:é\u0000😀"}
PNG = "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n....").decode()


def _add(**changes: Any) -> bytes:
    return json.dumps({"success": True, **IDS, "extra": [1], **changes}).encode()


def _search(*items: Any) -> bytes:
    return json.dumps({"data": list(items), "took_ms": 3}).encode()


def checked(body: bytes, **options: Any) -> tuple[Memory, ...]:
    found = check_search_response(body, **options)
    assert msgspec.json.decode(found.encoded, type=tuple[Memory, ...]) == found.memories
    return found.memories


def _plainly(*items: Any) -> bytes:
    return json.dumps({"data": list(items)}).encode()


def test_a_right_add_response_passes() -> None:
    check_add_response(_add(), **IDS)


@pytest.mark.parametrize("success", [False, None, 1, "true", [], {}])
def test_success_must_be_the_boolean_true(success: Any) -> None:
    with pytest.raises(SchemaViolated) as error:
        check_add_response(_add(success=success), **IDS)
    assert error.value.path == "$.success"


@pytest.mark.parametrize("name", IDS)
def test_ids_are_echoed_byte_for_byte(name: str) -> None:
    sent = IDS[name]
    for echoed in (sent.upper() + "X", sent + " ", sent[:-1], unicodedata.normalize("NFD", sent) + "\u0301"):
        with pytest.raises(EchoMismatched) as error:
            check_add_response(_add(**{name: echoed}), **IDS)
        assert error.value.path == f"$.{name}"
    for wrong in (None, 5, [sent]):
        with pytest.raises(SchemaViolated):
            check_add_response(_add(**{name: wrong}), **IDS)


def test_an_echo_is_shown_whole_or_not_at_all() -> None:
    with pytest.raises(EchoMismatched, match="'short'"):
        check_add_response(_add(user_id="short"), **IDS)
    with pytest.raises(EchoMismatched, match="a string of 161 characters"):
        check_add_response(_add(user_id="x" * 161), **IDS)


def test_normalisation_is_not_equality() -> None:
    ids = IDS | {"user_id": "caf\u00e9"}
    with pytest.raises(EchoMismatched):
        check_add_response(json.dumps({"success": True, **IDS, "user_id": "cafe\u0301"}).encode(), **ids)


@pytest.mark.parametrize("body", [b"[]", b"null", b'"ok"', b"{}", b"<html>", b""])
def test_other_bodies_are_errors(body: bytes) -> None:
    with pytest.raises(ParticipantError):
        check_add_response(body, **IDS)
    with pytest.raises(ParticipantError):
        checked(body, top_k=5)


def test_search_items_keep_order_and_bytes() -> None:
    items = [
        {"id": "b", "content": "x\u0000\u202ey", "score": 1, "created_at": 17, "metadata": {"n": 1}},
        {"id": "a", "content": "é", "score": -0.5, "created_at": "2026-07-01"},
        {"id": "a", "content": " ", "score": None, "created_at": None},
    ]

    memories = checked(_search(*items), top_k=3)

    assert memories == (
        Memory(id="b", content="x\u0000\u202ey", score=1.0, created_at=17),
        Memory(id="a", content="é", score=-0.5, created_at="2026-07-01"),
        Memory(id="a", content=" "),
    )
    assert checked(b'{"data": []}', top_k=1) == ()


@pytest.mark.parametrize(
    ("item", "path"),
    [
        ({"content": "c"}, "$.data[1].id"), ({"id": "", "content": "c"}, "$.data[1].id"),
        ({"id": 7, "content": "c"}, "$.data[1].id"),
        ({"id": "i"}, "$.data[1].content"), ({"id": "i", "content": ""}, "$.data[1].content"),
        ({"id": "i", "content": None}, "$.data[1].content"), ({"id": "i", "content": ["t"]}, "$.data[1].content"),
        ({"id": "i", "content": "c", "score": "0.5"}, "$.data[1].score"),
        ({"id": "i", "content": "c", "score": True}, "$.data[1].score"),
        ({"id": "i", "content": "c", "created_at": {}}, "$.data[1].created_at"),
        ({"id": "i", "content": "c", "created_at": False}, "$.data[1].created_at"),
        ("text", "$.data[1]"), (None, "$.data[1]"), ([], "$.data[1]"),
    ],
)  # fmt: skip
def test_an_invalid_item_names_its_path(item: Any, path: str) -> None:
    with pytest.raises(SchemaViolated) as error:
        checked(_search({"id": "ok", "content": "ok"}, item), top_k=5)
    assert error.value.path == path


@pytest.mark.parametrize("data", [None, {}, "x", 3])
def test_data_must_be_an_array(data: Any) -> None:
    with pytest.raises(SchemaViolated) as error:
        checked(json.dumps({"data": data}).encode(), top_k=5)
    assert error.value.path == "$.data"


@pytest.mark.parametrize("top_k", [1, 5, 100])
def test_one_item_too_many_is_an_error_and_nothing_is_cut(top_k: int) -> None:
    items = [{"id": str(number), "content": "c"} for number in range(top_k + 1)]

    for written in (_search, _plainly):
        assert len(checked(written(*items[:-1]), top_k=top_k)) == top_k
        with pytest.raises(LimitExceeded, match=f"top_k = {top_k}"):
            checked(written(*items), top_k=top_k)


@pytest.mark.parametrize("item", [b'{"id":"m","content":"c"}', b"{}", b"1", b"[[]]"])
def test_a_million_items_are_refused_without_building_them(item: bytes) -> None:
    body = b'{"data":[' + b",".join([item] * 1_000_000) + b"]}"

    tracemalloc.start()
    try:
        with pytest.raises(LimitExceeded, match="top_k = 100"):
            checked(body, top_k=100)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Copies of the bytes, and no objects: a million dictionaries would take more than 200 MB.
    assert peak < 4 * len(body) + 30_000_000


def test_many_values_beside_few_items_are_no_excess() -> None:
    vector = [0.25] * 3000
    body = json.dumps({"embedding": vector, "data": [{"id": "i", "content": "c", "metadata": vector}]}).encode()

    assert len(checked(body, top_k=1)) == 1


def test_parts_only_where_they_are_allowed() -> None:
    content = [{"type": "text", "text": "seen"}, {"type": "image_url", "image_url": {"url": PNG}}]
    body = _search({"id": "i", "content": content})

    (memory,) = checked(body, top_k=1, allow_parts=True)
    assert isinstance(memory.content, tuple)
    assert [type(part) for part in memory.content] == [TextPart, ImagePart]
    with pytest.raises(SchemaViolated):
        checked(body, top_k=1)


@pytest.mark.parametrize(
    ("part", "path"),
    [
        ({"type": "text", "text": ""}, ".text"), ({"type": "text"}, ".text"), ({"type": "video"}, ".type"), ("text", ""),
        ({"type": "image_url"}, ".image_url.url"), ({"type": "image_url", "image_url": {"url": 5}}, ".image_url.url"),
    ],
)  # fmt: skip
def test_an_invalid_part_names_its_path(part: Any, path: str) -> None:
    with pytest.raises(SchemaViolated) as error:
        checked(_search({"id": "i", "content": [part]}), top_k=1, allow_parts=True)
    assert error.value.path == f"$.data[0].content[0]{path}"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a.png", "data:image/gif;base64,R0lG", "data:image/png,raw", "data:image/png;base64,!!!!",
        PNG.replace("png", "jpeg"), "data:image/webp;base64,UklGRg==", "data:image/png;base64,",
    ],
)  # fmt: skip
def test_images_are_what_they_say_and_inline(url: str) -> None:
    part = {"type": "image_url", "image_url": {"url": url}}
    with pytest.raises(MediaRefused) as error:
        checked(_search({"id": "i", "content": [part]}), top_k=1, allow_parts=True)
    assert error.value.path == "$.data[0].content[0].image_url.url"


@pytest.mark.parametrize("items", [100, 101])
def test_vectors_in_items_are_not_counted_as_items(items: int) -> None:
    item = {"id": "m", "content": "c", "vector": [0.5] * 300, "rows": [[1, 2], [3]]}
    body = json.dumps({"data": [item] * items}).encode()
    if items == 100:
        assert len(checked(body, top_k=100)) == 100
    else:
        with pytest.raises(LimitExceeded, match="top_k = 100"):
            checked(body, top_k=100)


def test_a_flat_array_of_a_million_is_counted_though_it_looks_like_a_vector() -> None:
    with pytest.raises(LimitExceeded, match="top_k = 5"):
        checked(b'{"data":[' + b"1," * 900_000 + b"1]}", top_k=5)
