"""The quick way says of every body what the slow way says."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.contracts.participant import Memory
from aml.runtime.participant import plain_response, response_check
from aml.runtime.participant.errors import JsonInvalid, ParticipantError
from aml.runtime.participant.response_check import check_search_response


def checked(body: bytes, **options: Any) -> tuple[Memory, ...]:
    found = check_search_response(body, **options)
    assert msgspec.json.decode(found.encoded, type=tuple[Memory, ...]) == found.memories
    return found.memories


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
        patch.setattr(plain_response, "_PLAIN_BYTES", -1)
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
    monkeypatch.setattr(plain_response, "count_strings", None)
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
