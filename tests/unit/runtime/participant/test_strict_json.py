import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.runtime.participant import strict_json
from aml.runtime.participant.errors import JsonInvalid, LimitExceeded, ParticipantError
from aml.runtime.participant.strict_json import (
    MAX_DEPTH,
    MAX_INTEGER_DIGITS,
    count_strings,
    may_have_long_number,
    nesting,
    read_json,
    skeleton,
)

VECTORS = Path(__file__).parents[4] / "../shared/vectors/json_parsing/test_parsing"
needs_vectors = pytest.mark.skipif(not VECTORS.is_dir(), reason="../shared/vectors/json_parsing is absent")

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**38), 10**38)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


@needs_vectors
def test_every_y_vector_is_accepted() -> None:
    files = sorted(VECTORS.glob("y_*.json"))

    assert len(files) > 90
    for file in files:
        # Two of the vectors have a key twice, which is the grammar's business and not the contract's.
        read_json(file.read_bytes(), unique_keys="duplicated_key" not in file.name)


@needs_vectors
def test_the_vectors_with_a_key_twice_are_refused_in_a_response() -> None:
    files = sorted(VECTORS.glob("y_object_duplicated_key*.json"))

    assert len(files) == 2
    for file in files:
        with pytest.raises(JsonInvalid, match="twice"):
            read_json(file.read_bytes())


@needs_vectors
def test_every_n_vector_is_refused() -> None:
    files = sorted(VECTORS.glob("n_*.json"))

    assert len(files) > 180
    accepted = [file.name for file in files if not _is_refused(file.read_bytes())]
    assert accepted == []


def _is_refused(body: bytes) -> bool:
    try:
        read_json(body)
    except ParticipantError:
        return True
    return False


@given(json_values)
def test_valid_json_reads_as_written(value: Any) -> None:
    for ascii_only in (True, False):
        body = json.dumps(value, ensure_ascii=ascii_only, indent=1).encode("utf-8")
        assert read_json(body) == value


@given(st.binary(max_size=40) | st.text('[]{}:,"\\0123456789eE.+-u nulltruefalseNaN\n', max_size=30).map(str.encode))
def test_any_bytes_end_as_a_value_or_as_our_error(body: bytes) -> None:
    try:
        value = read_json(body)
    except ParticipantError:
        return
    assert value == json.loads(body)


@given(st.dictionaries(st.text(), st.integers(), min_size=1, max_size=4), st.data())
def test_any_duplicate_key_is_found_however_it_is_spelt(members: dict[str, int], data: st.DataObject) -> None:
    twice = data.draw(st.sampled_from(sorted(members)))
    spelt = '"' + "".join(f"\\u{unit:04x}" for unit in _utf16(twice)) + '"'
    body = json.dumps({"outer": [members]})[:-3] + f", {spelt}: 1}}]}}"

    with pytest.raises(JsonInvalid, match=r"twice in one object") as error:
        read_json(body.encode())
    assert error.value.path == "$.outer[0]"


def _utf16(text: str) -> list[int]:
    data = text.encode("utf-16-be")
    return [int.from_bytes(data[index : index + 2], "big") for index in range(0, len(data), 2)]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (b"NaN", "offset"), (b"[Infinity]", "offset"), (b"[-Infinity]", "offset"), (b"[1e400]", "path"),
        (b"[-1e400]", "path"), (b"\xef\xbb\xbf{}", "offset"), ("{}".encode("utf-16"), "offset"),
        ("{}".encode("utf-16-le"), "offset"), (b'"\xed\xa0\x80"', "offset"), (b'"\xff"', "offset"),
        (b'"\\ud800"', "offset"), (b'"\\udc00"', "offset"), (b'"\\ud800\\u0041"', "offset"),
        (b'{"a": "\\ud800x"}', "offset"), (b'"\x00"', "offset"), (b"{} {}", "offset"), (b"[1,]", "offset"),
        (b'{"a":1', "offset"), (b"<html>", "offset"),
    ],
)  # fmt: skip
def test_refusals_name_a_place(body: bytes, where: str) -> None:
    with pytest.raises(JsonInvalid) as error:
        read_json(body)
    assert getattr(error.value, where) is not None
    assert "\n" not in str(error.value)


def test_empty_body_is_named() -> None:
    with pytest.raises(JsonInvalid, match="the body is empty"):
        read_json(b" \n")


def test_depth_is_bounded_before_anything_recursive() -> None:
    deepest = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    mixed = b'{"a":[' * 32 + b"]}" * 32

    assert nesting(skeleton(deepest), MAX_DEPTH) == MAX_DEPTH
    assert read_json(mixed)
    for body in (b"[" + deepest + b"]", b"[" * 100_000, b'{"a":' * 100_000, b'[{"":' * 50_000 + b"1"):
        with pytest.raises(LimitExceeded, match="deeper than 64"):
            read_json(body)


def test_brackets_in_strings_are_not_depth() -> None:
    assert read_json(json.dumps(["[" * 500, '"[{' * 100, "\\" * 31]).encode()) == ["[" * 500, '"[{' * 100, "\\" * 31]


@pytest.mark.parametrize("lead", range(9))
def test_a_string_across_a_window_is_still_a_string(lead: int) -> None:
    value = [" " * lead + '[{:,\\"' * 60_000, {"k": "]" * 300_000}] * 2
    body = json.dumps(value).encode()

    assert skeleton(body) == b"[, {: }, , {: }]"
    assert read_json(body) == value


@pytest.mark.parametrize("number", ["1" * 41, "-" + "9" * 41, "1" * 5000, "0." + "1" * 200, "1e" + "0" * 200 + "1"])
def test_long_numbers_are_refused(number: str) -> None:
    for body in (number, f"[{number}]", f'{{"a":{number}}}'):
        with pytest.raises(LimitExceeded, match="number"):
            read_json(body.encode())


@given(st.binary(max_size=20), st.integers(41, 60), st.binary(max_size=20))
def test_the_quick_look_at_numbers_misses_none(before: bytes, digits: int, after: bytes) -> None:
    assert may_have_long_number(before + b"7" * digits + after)
    assert may_have_long_number(before + b"-1." + b"3" * (digits - 1) + b"e+" + b"0" * (126 - digits) + after)


def test_the_quick_look_at_numbers_passes_usual_ones_by() -> None:
    assert not may_have_long_number(b'{"id":"m100200300","score":10.019164538989314,"created_at":1714989600000},' * 99)


@given(json_values, st.booleans())
def test_strings_are_counted(value: Any, ascii_only: bool) -> None:
    def strings(value: Any) -> int:
        if isinstance(value, dict):
            return len(value) + sum(map(strings, value.values()))
        return sum(map(strings, value)) if isinstance(value, list) else isinstance(value, str)

    assert count_strings(json.dumps(value, ensure_ascii=ascii_only).encode()) == strings(value)


def test_long_decimals_within_the_bound_are_read() -> None:
    assert math.isclose(read_json(b"[0." + b"3" * 78 + b"]")[0], 1 / 3)
    assert read_json(b"9" * 40) == 10**40 - 1
    assert read_json(b'["' + b"1" * 500 + b'"]') == ["1" * 500]


def test_the_count_of_values_is_bounded() -> None:
    with pytest.raises(LimitExceeded, match="values"):
        read_json(b"[" + b"{}," * 600_000 + b"1]")


@given(st.text(alphabet='\\"[]{},:1a', max_size=60), st.integers(1, 9))
def test_windows_change_nothing_about_the_skeleton(text: str, window: int) -> None:
    body = text.encode()
    whole = skeleton(body)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict_json, "_WINDOW", window)
        assert skeleton(body) == whole


@given(st.integers(1, 12), st.integers(35, 200))
def test_a_number_too_long_is_found_wherever_windows_end(before: int, digits: int) -> None:
    body = b"[" + b"1," * before + b"7" * digits + b"]"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict_json, "_WINDOW", 8)
        if digits <= MAX_INTEGER_DIGITS:
            read_json(body)
        else:
            with pytest.raises(LimitExceeded):
                read_json(body)


@pytest.mark.parametrize("count", [1, 255, 256, 257, 600])
@pytest.mark.parametrize("escape", [rb"\"", rb"\\", rb"\n", rb"\\\""])
def test_however_many_escapes_a_string_has_it_ends_where_it_ends(escape: bytes, count: int) -> None:
    assert skeleton(b'{"a":"' + escape * count + b'","b":[1]}') == b"{:,:[1]}"
