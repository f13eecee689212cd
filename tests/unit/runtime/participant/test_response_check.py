import base64
import json
import tracemalloc
import unicodedata
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.contracts.participant import ImagePart, Memory, TextPart
from aml.runtime.participant import response_check
from aml.runtime.participant.errors import (
    EchoMismatched,
    JsonInvalid,
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


_SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4))
_TEXTS = st.one_of(st.text(min_size=1, max_size=8), st.text(alphabet='\\"u02[{:,}é1', min_size=1, max_size=12))
_ITEMS = st.fixed_dictionaries(
    {"id": st.text(min_size=1, max_size=3), "content": _TEXTS},
    optional={
        "score": st.one_of(st.none(), st.integers(-(10**20), 10**20), st.floats(allow_nan=False, allow_infinity=False)),
        "created_at": st.one_of(st.none(), _TEXTS, st.integers(-(10**38), 10**38), st.floats(-1e9, 1e9)),
    },
)
_STRANGE = st.dictionaries(st.sampled_from(["id", "content", "score", "created_at", "x"]), _SCALARS)


def _both_ways(body: bytes, top_k: int = 5) -> tuple[object, object]:
    """What is said of a body, and what is said where nothing is plain."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(response_check, "_PLAIN_BYTES", -1)
        slow = _outcome(body, top_k)
    return _outcome(body, top_k), slow


def _outcome(body: bytes, top_k: int = 5) -> object:
    try:
        return [(memory, type(memory.created_at)) for memory in checked(body, top_k=top_k)]
    except ParticipantError as error:
        return type(error), error.path, error.problem, error.offset if isinstance(error, JsonInvalid) else None


@given(st.lists(st.one_of(_ITEMS, _STRANGE), max_size=6), st.booleans(), st.booleans())
def test_the_quick_way_says_what_the_slow_one_says(items: list[Any], ascii_only: bool, compact: bool) -> None:
    body = json.dumps({"data": items}, ensure_ascii=ascii_only, separators=(",", ":") if compact else None)
    quick, slow = _both_ways(body.encode("utf-8", "replace"))
    assert quick == slow


@given(st.lists(_ITEMS, min_size=1, max_size=3), st.booleans(), st.data())
def test_it_does_so_of_any_body_that_is_nearly_right(items: list[Any], as_ours: bool, data: st.DataObject) -> None:
    body = json.dumps({"data": items}, ensure_ascii=False).encode("utf-8", "replace")
    if as_ours:
        body = b'{"data":%b}' % check_search_response(body, top_k=5).encoded
    for _ in range(data.draw(st.integers(1, 2))):
        start = data.draw(st.integers(0, len(body)))
        end = data.draw(st.integers(start, min(start + 4, len(body))))
        body = body[:start] + data.draw(st.sampled_from(_SPLINTERS)) + body[end:]
    quick, slow = _both_ways(body)
    assert quick == slow


_SPLINTERS = [
    b"", b'"', b"\\", b'\\"', b'\\\\"', b'\\\\\\"', b"\\u0022", b"\\u0022\\u0022", b"\\ud800", b"\xff", b"\xed\xa0\x80", b"\x00",
    b"\xef\xbb\xbf", b",", b"null", b"1e400", b"-0", b"1" * 40, b"1" * 41, b"0." + b"7" * 126, b"0." + b"7" * 127,
    b"1e" + b"0" * 39 + b"1", b'"x":1,', b'"id":"y",', b',"i\\u0064":"y"', b'"content":[],', b'"score":null,', b"{}",
    b'{"data":[]},',
    b'"x":' + b"[" * 70 + b"]" * 70 + b",", b'"x":' + b"[" * 2000, b'"data":1,', b'"":"\\"",', b'"x":"\\u0022",', b" ", b"NaN",
]  # fmt: skip


@pytest.mark.parametrize("splinter", _SPLINTERS)
def test_it_does_so_wherever_something_stands_in_a_body(splinter: bytes) -> None:
    body = b'{"data": [{"id":"a","content":"c\\\\","score":1.5}, {"id":"\\"","content":"\\u0022","created_at":"2","score":3}]}'
    _same_with(splinter, body)


@pytest.mark.parametrize("splinter", _SPLINTERS)
def test_it_does_so_in_a_body_as_we_would_write_it(splinter: bytes) -> None:
    body = b'{"data":[{"id":"a","content":"c\\\\","score":1.5},{"id":"\\"","content":"d","score":3.0,"created_at":2}]}'
    assert body == b'{"data":%b}' % check_search_response(body, top_k=5).encoded
    _same_with(splinter, body)


def _same_with(splinter: bytes, body: bytes) -> None:
    for place in range(len(body) + 1):
        for rest in (body[place:], body[place + 1 :]):
            quick, slow = _both_ways(body[:place] + splinter + rest)
            assert quick == slow


def test_the_usual_bodies_go_the_quick_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_check, "skeleton", None)
    item = {
        "id": "1",
        "content": 'with "quotes", \\, {braces}: [2024-05-06] and\nlines, é 😀' + "-" * 60,
        "score": -1.5e-7,
    }
    for more in ({}, {"created_at": "2024-05-06T10:00:00Z"}, {"created_at": 1714989600000}):
        for ascii_only in (True, False):
            body = json.dumps({"data": [item | more] * 5}, ensure_ascii=ascii_only, indent=1).encode()
            assert len(checked(body, top_k=5)) == 5


def test_a_body_as_we_would_write_it_is_known_by_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_check, "count_strings", None)
    memories = (Memory(id="1", content='é "\\\n', score=0.1 + 0.2, created_at="2024"), Memory(id="2", content="c"))
    encoded = msgspec.json.encode(memories)

    assert check_search_response(b'{"data":%b}' % encoded, top_k=2) == (memories, encoded)


@pytest.mark.parametrize(
    "item",
    [
        b'{"id":"a","id":"b","content":"c"}',
        b'{"id":"a","content":"c","content":"c"}',
        b'{"id":"a","content":"c","score":1,"score":null}',
        b'{"id":"a","content":"c","score":null,"score":null}',
    ],
)
def test_a_key_that_comes_twice_is_found_beside_members_that_are_absent(item: bytes) -> None:
    other = b'{"id":"o","content":"\\":\\" \\\\"}'
    for items in (item, item + b"," + other, other + b"," + item):
        with pytest.raises(JsonInvalid, match="twice"):
            checked(b'{"data":[' + items + b"]}", top_k=5)
