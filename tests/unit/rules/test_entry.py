import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories.events import EXAMPLES, an_event

from aml.contracts.access import KeyRevoked
from aml.contracts.events import encode_event
from aml.contracts.jobs import JobCancelled, JobFailed
from aml.contracts.seals import GateRefused
from aml.rules.canonical import canonical
from aml.rules.entry import EntryInvalid, canonical_event, entry_bytes, read_entry
from aml.rules.identity import event_id
from aml.rules.merkle import leaf_hash


def an_entry(index: int = 7, job_seq: int | None = 3, prev: str | None = "ab" * 32, **changes: str) -> bytes:
    event = an_event(JobFailed, **changes)
    return entry_bytes(event=encode_event(event), event_id=event_id(event), index=index, job_seq=job_seq, prev=prev)


def test_the_leaf_is_pinned_for_ever() -> None:
    event = JobCancelled(at=1, job_id="j", cancelled_by="k", reason="r")
    data = entry_bytes(event=encode_event(event), event_id=event_id(event), index=0, job_seq=0, prev=None)
    assert data == (
        b'{"event":{"at":1,"cancelled_by":"k","job_id":"j","reason":"r","type":"job_cancelled.v1"},'
        b'"event_id":"' + event_id(event).encode() + b'","index":0,"job_seq":0,"prev":null,"type":"log_entry.v1"}'
    )


@pytest.mark.parametrize("kind", list(EXAMPLES), ids=lambda kind: kind.__name__)
def test_entries_of_every_event_are_in_rfc_8785_form(kind: type) -> None:
    event = EXAMPLES[kind]
    data = entry_bytes(event=encode_event(event), event_id=event_id(event), index=12, job_seq=1, prev="0" * 64)
    assert canonical(json.loads(data)) == data


@given(st.integers(0, 2**40), st.integers(1, 2**40), st.text())
def test_what_was_written_is_read_back(index: int, seq: int, detail: str) -> None:
    data = an_entry(index, seq, "cd" * 32, detail=detail)
    entry = read_entry(data)
    assert (entry.index, entry.job_seq, entry.prev) == (index, seq, "cd" * 32)
    assert entry.event == an_event(JobFailed, detail=detail)
    assert entry.leaf == leaf_hash(data).hex()


def test_facts_of_no_job_are_not_chained() -> None:
    event = an_event(KeyRevoked)
    data = entry_bytes(event=encode_event(event), event_id=event_id(event), index=1, job_seq=None, prev=None)
    assert read_entry(data).job_seq is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        an_entry().replace(b'"index":7', b'"index": 7'),
        an_entry().replace(b'"index":7', b'"index":7.0'),
        an_entry().replace(b'"type":"log_entry.v1"', b'"type":"log_entry.v2"'),
        an_entry().replace(b'"index":7', b'"extra":1,"index":7'),
        an_entry().replace(b'"at":', b'"at": '),
        an_entry() + b"\n",
        an_entry(job_seq=None),
        an_entry(job_seq=0),
        an_entry(job_seq=3, prev=None),
        an_entry().replace(b"job-7c1f", b"job-7c1e"),
    ],
)
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(EntryInvalid):
        read_entry(data)


def test_an_integer_that_not_every_reader_keeps_is_refused_with_its_place() -> None:
    data = encode_event(an_event(JobFailed)).replace(b'"at":1780000000000', b'"at":9007199254740993')
    with pytest.raises(EntryInvalid, match=r"Expected `int` <= 9007199254740991 - at `\$\.at`"):
        canonical_event(data)


def test_duplicate_names_are_refused() -> None:
    data = encode_event(an_event(JobFailed)).replace(b'{"at"', b'{"at":1,"at"')
    assert msgspec.json.decode(data)
    with pytest.raises(EntryInvalid, match="canonical form"):
        canonical_event(data)


def test_an_entry_of_any_depth_is_refused_and_nothing_worse() -> None:
    with pytest.raises(EntryInvalid):
        read_entry(b'{"event":' + b"[" * 200_000)


@pytest.mark.parametrize("number", [2**53, -(2**53), 10**18])
def test_a_number_beyond_the_safe_ones_is_refused_wherever_it_stands(number: int) -> None:
    event = an_event(GateRefused)
    data = encode_event(event).replace(b'"entries":[', b'"entries":[%d,' % number, 1)
    with pytest.raises(EntryInvalid):
        canonical_event(data)
