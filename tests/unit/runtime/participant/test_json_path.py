"""Paths for messages."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.runtime.participant.json_path import REACH_BYTES, path_at, path_of_number


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"data":[{"id":"a"},{"id":^1}]}', "$.data[1].id"),
        ('{"a":{"b":[[],[0,^1]]}}', "$.a.b[1][1]"),
        ('{"a":1,"b c":^2}', '$."b c"'),
        ('{"a":"x,y:[{","b":^2}', "$.b"),
        ('{"a":"\\"","b":^2}', "$.b"),
        ("^[1]", "$"),
        ('{"a":[1,2]}^x', "$"),
        ('{"data":["cut ^off', "$.data[0]"),
        ("]]]}^", "$"),
    ],
)
def test_the_path_of_a_byte(text: str, path: str) -> None:
    before, _, after = text.partition("^")
    assert path_at((before + after).encode(), len(before.encode())) == path


def test_long_names_are_not_cut_but_left_out() -> None:
    body = json.dumps({"k" * 100: [1]}).encode()
    assert path_at(body, len(body) - 3) == "$.<100 characters>[0]"
    deep = b'{"a":' * 300
    assert path_at(deep, len(deep)) == "a place 300 levels deep"


def test_beyond_reach_there_is_no_path() -> None:
    assert path_at(b" " * (REACH_BYTES + 9), REACH_BYTES + 1) is None


def test_the_first_number_that_is_wanted() -> None:
    body = b'{"a":"1e400","b":[1,{"c":1e400}]}'
    assert path_of_number(body, lambda number: number == b"1e400") == "$.b[1].c"
    assert path_of_number(body, lambda number: number == b"7") is None


@given(st.binary(max_size=200), st.integers(0, 300))
def test_any_bytes_have_a_path_of_bounded_length(body: bytes, offset: int) -> None:
    path = path_at(body, offset)
    assert path is not None
    assert len(path) <= 200
