"""JSONL, JSON and CSV, whole and broken, in pieces of any size."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aml.gateway.donations.package_report import DataFormat, DataReport, PackageLimits, PackageRefused
from aml.gateway.donations.text_checks import check_data

LIMITS = PackageLimits(line_chars=1000, json_depth=20)


def checked(content: bytes, kind: DataFormat, size: int = 7) -> DataReport:
    def pieces() -> Iterator[bytes]:
        for start in range(0, len(content), size):
            yield content[start : start + size]

    return check_data(pieces(), kind, LIMITS)


@pytest.mark.parametrize(
    ("content", "kind", "rows", "fields"),
    [
        (b'{"a": 1}\n\n{"b": [1, {"c": null}]}', "jsonl", 2, ("a", "b")),
        (b'\xef\xbb\xbf{"\xe9\x97\xae": 1}\r\n', "jsonl", 1, ("问",)),
        (b'[{"a": 1, "x": {"y": 2}}, {"b": 2}]', "json", 2, ("a", "x", "b")),
        (b'\xef\xbb\xbf{"data": [1, 2], "name": "n"}', "json", None, ("data", "name")),
        (b"[]", "json", 0, ()),
        (b'q,a\n"one, two","say ""x""\nagain"\nb,c\n', "csv", 2, ("q", "a")),
        (b"\xef\xbb\xbfq,a\r\n1,2\r\n", "csv", 1, ("q", "a")),
    ],
)
def test_whole_data_is_described(content: bytes, kind: DataFormat, rows: int | None, fields: tuple[str, ...]) -> None:
    for size in (1, 3, 4096):
        report = checked(content, kind, size)
        assert (report.rows, report.fields) == (rows, fields)


@pytest.mark.parametrize(
    ("content", "kind", "problem"),
    [
        (b"", "jsonl", "no line"),
        (b"[1]\n", "jsonl", "line 1 is no JSON object"),
        (b'{"a": 1}\n{"a": }\n', "jsonl", "line 2"),
        (b'{"a": ' + b"[" * 5000 + b"\n", "jsonl", "more than 1000 characters"),
        (b'{"a": ' + b"[" * 900 + b"]" * 50 + b"}\n", "jsonl", "line 1"),
        (b'{"a": "\xff"}\n', "jsonl", "UTF-8"),
        (b'{"a": "\xe9', "jsonl", "UTF-8"),
        (b'{"a"\x00: 1}\n', "jsonl", "NUL"),
        (b"", "json", "whole JSON"),
        (b"[1, 2", "json", "whole JSON"),
        (b"[1] [2]", "json", "whole JSON"),
        (b"[1], 2", "json", "whole JSON"),
        (b"7", "json", "single JSON value"),
        (b"[" * 30 + b"]" * 30, "json", "deeper than 20"),
        (b'["\xff"]', "json", "whole JSON"),
        (b"{'a': 1}", "json", "whole JSON"),
        (b"", "csv", "no record"),
        (b"q,a\n", "csv", "no record"),
        (b"only\none\n", "csv", "header"),
        (b"q,q\n1,2\n", "csv", "header"),
        (b"q,a\n1,2,3\n", "csv", "line 2 has 3 fields"),
        (b'q,a\n1,"open\n', "csv", "not CSV"),
        (b'q,a\n"x"y,2\n', "csv", "not CSV"),
    ],
)
def test_broken_data_is_refused_with_its_place(content: bytes, kind: DataFormat, problem: str) -> None:
    for size in (1, 4096):
        with pytest.raises(PackageRefused, match=problem):
            checked(content, kind, size)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
ROWS = st.lists(st.dictionaries(st.text(min_size=1, max_size=8), VALUES, max_size=4), min_size=1, max_size=8)


@settings(max_examples=80, deadline=None)
@given(rows=ROWS, size=st.integers(1, 50))
def test_whatever_json_writes_is_taken(rows: list[dict[str, Any]], size: int) -> None:
    lines = "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows).encode()
    limits = PackageLimits()

    def pieces(content: bytes) -> Iterator[bytes]:
        yield from (content[start : start + size] for start in range(0, len(content), size))

    assert check_data(pieces(lines), "jsonl", limits).rows == len(rows)
    assert check_data(pieces(json.dumps(rows).encode()), "json", limits).rows == len(rows)


@settings(max_examples=80, deadline=None)
@given(
    rows=st.lists(
        st.tuples(*(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=10),) * 3),
        min_size=1,
        max_size=8,
    ),
    size=st.integers(1, 50),
)
def test_whatever_csv_writes_is_taken(rows: list[tuple[str, ...]], size: int) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([("a", "b", "c"), *rows])

    assert checked(out.getvalue().encode(), "csv", size).rows == len(rows)


@settings(max_examples=150, deadline=None)
@given(content=st.binary(max_size=200), kind=st.sampled_from(["jsonl", "json", "csv"]))
def test_any_bytes_are_refused_or_described(content: bytes, kind: DataFormat) -> None:
    with suppress(PackageRefused):  # and nothing else
        assert checked(content, kind).format == kind
