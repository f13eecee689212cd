import json
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from aml.rules.canonical import SAFE_INTEGER, NotCanonical, canonical

VECTORS = Path(__file__).parents[3] / "../shared/vectors/jcs"
needs_vectors = pytest.mark.skipif(not VECTORS.is_dir(), reason=f"{VECTORS} is not here")

values = st.recursive(
    st.none() | st.booleans() | st.integers(-SAFE_INTEGER, SAFE_INTEGER) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=12,
)


@given(values)
def test_it_is_the_form_that_the_reference_package_gives(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(values)
def test_reading_it_gives_the_value_back(value: Any) -> None:
    assert json.loads(canonical(value)) == value


@needs_vectors
@pytest.mark.parametrize("name", ["arrays", "french", "unicode", "weird"])
def test_the_published_vectors(name: str) -> None:
    value = json.loads((VECTORS / f"input/{name}.json").read_text("utf-8"))
    expected = bytes.fromhex((VECTORS / f"outhex/{name}.txt").read_text("ascii"))
    assert canonical(value) == expected


@needs_vectors
@pytest.mark.parametrize(("name", "path"), [("values", "$.numbers[0]"), ("structures", r"$['1']['\n']")])
def test_vectors_with_floats_are_refused_with_the_place(name: str, path: str) -> None:
    value = json.loads((VECTORS / f"input/{name}.json").read_text("utf-8"))
    with pytest.raises(NotCanonical) as refusal:
        canonical(value)
    assert refusal.value.path == path


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"a": [1, {"b": 0.5}]}, "$.a[1].b"),
        ([2**53], "$[0]"),
        ([-(2**53)], "$[0]"),
        ({"a": "x\ud800"}, "$.a"),
        ({"a": {"\udc00": 1}}, "$.a"),
        ({1: 2}, "$"),
        ({"a": b"x"}, "$.a"),
        ([float("nan")], "$[0]"),
    ],
)
def test_what_has_no_canonical_form_is_refused_with_the_place(value: Any, path: str) -> None:
    with pytest.raises(NotCanonical) as refusal:
        canonical(value)
    assert refusal.value.path == path


def test_names_are_ordered_by_utf16_units() -> None:
    assert canonical({"\ufb33": 1, "\U0001f602": 2}) == '{"\U0001f602":2,"\ufb33":1}'.encode()
