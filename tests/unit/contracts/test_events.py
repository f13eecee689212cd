"""One decoder for all that can happen, and one canonical form."""

import json

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from tests.factories.events import EXAMPLES, an_event

from aml.contracts.events import Event, decode_event, encode_event
from aml.contracts.jobs import JobFailed
from aml.contracts.units import ChunkAdded
from aml.contracts.verdicts import AnswerScored

examples = pytest.mark.parametrize("event", EXAMPLES.values(), ids=lambda event: type(event).__name__)


@examples
def test_an_event_reads_as_what_was_written(event: Event) -> None:
    assert decode_event(encode_event(event)) == event


@examples
def test_its_bytes_are_the_canonical_ones(event: Event) -> None:
    assert encode_event(event) == rfc8785.dumps(json.loads(encode_event(event)))


@given(st.text())
def test_any_text_is_written_canonically(text: str) -> None:
    event = an_event(JobFailed, detail=text)
    assert encode_event(event) == rfc8785.dumps(json.loads(encode_event(event)))
    assert decode_event(encode_event(event)) == event


@examples
def test_an_event_without_one_of_its_fields_is_refused(event: Event) -> None:
    for name in event.__struct_fields__:
        fields = {key: value for key, value in json.loads(encode_event(event)).items() if key != name}
        with pytest.raises(msgspec.ValidationError, match=name):
            decode_event(json.dumps(fields).encode())


@examples
def test_an_event_with_a_field_too_many_is_refused(event: Event) -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `extra`"):
        decode_event(json.dumps(json.loads(encode_event(event)) | {"extra": 1}).encode())


@pytest.mark.parametrize(
    ("event_type", "changes"),
    [
        (ChunkAdded, {"job_id": "a.b"}),
        (ChunkAdded, {"latency": -1}),
        (ChunkAdded, {"latency": 1.5}),
        (ChunkAdded, {"index": "0"}),
        (AnswerScored, {"outcome": "maybe"}),
        (AnswerScored, {"score": 1_000_001}),
        (JobFailed, {"reason": "bad luck"}),
        (JobFailed, {"type": "job_failed.v2"}),
    ],
)
def test_a_value_outside_its_range_is_refused(event_type: type, changes: dict[str, object]) -> None:
    fields = json.loads(encode_event(EXAMPLES[event_type])) | changes
    with pytest.raises(msgspec.ValidationError):
        decode_event(json.dumps(fields).encode())


@pytest.mark.parametrize("data", [b"", b"null", b"[]", b"{}", b'{"type":"chunk_added.v1"', b"\xff"])
def test_bytes_that_are_no_event_are_refused(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_event(data)
