import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.factories.events import an_event
from tests.factories.finished_jobs import a_job
from tests.factories.results import a_gate

from aml.contracts.access import KeyIssued
from aml.contracts.events import Event, encode_event
from aml.contracts.jobs import JobCancelled, JobFailed
from aml.contracts.seals import GateCheck, GateRefused, JobSealed
from aml.ledger.append_batch import MAX_EVENT_BYTES, Growth, JobHead, StreamMessage, decide_growth, read_batch
from aml.rules.canonical import canonical
from aml.rules.entry import entry_bytes, read_entry
from aml.rules.identity import subject_of
from aml.rules.merkle import Frontier, leaf_hash
from aml.rules.tiles import MAX_ENTRY_BYTES


def messages(events: Sequence[Event]) -> list[StreamMessage]:
    return [StreamMessage(n, subject_of(event), encode_event(event)) for n, event in enumerate(events, 1)]


def grow(events: Sequence[Event], after: Growth | None = None) -> Growth:
    frontier = after.frontier if after is not None else Frontier()
    known = {row.event_id for row in after.rows} if after is not None else set()
    return decide_growth(
        read_batch(messages(events)).incoming, known, frontier, after.jobs if after is not None else {}
    )


def test_entries_are_dense_chained_and_in_canonical_form() -> None:
    events: list[Any] = [*a_job("a", questions=2), an_event(KeyIssued), *a_job("b", questions=1)]
    growth = grow(events)
    assert [row.idx for row in growth.rows] == list(range(len(events)))
    last: dict[str, tuple[int, str]] = {}
    for row, event in zip(growth.rows, events, strict=True):
        entry = read_entry(row.body)
        assert entry.event == event
        assert canonical(json.loads(row.body)) == row.body
        assert row.leaf == leaf_hash(row.body)
        if row.job_id is None:
            assert entry.job_seq is None
            continue
        seq, prev = last.get(row.job_id, (-1, None))
        assert (entry.job_seq, entry.prev) == (seq + 1, prev)
        last[row.job_id] = (seq + 1, entry.leaf)
    assert {job: head.entries for job, head in growth.jobs.items()} == {job: seq + 1 for job, (seq, _) in last.items()}


@given(st.lists(st.integers(0, 30), max_size=5), st.randoms(use_true_random=False))
def test_batches_and_duplicates_do_not_change_the_set_or_the_tree_of_one_order(cuts: list[int], random: Any) -> None:
    events = a_job("a", questions=3)
    whole = grow(events)
    rows: list[Any] = []
    frontier = Frontier()
    heads: dict[str, JobHead] = {}
    edges = sorted({0, *(min(cut, len(events)) for cut in cuts), len(events)})
    for low, high in pairwise(edges):
        again = random.sample(events[:high], k=min(3, high))
        batch = read_batch(messages([*events[low:high], *again]))
        growth = decide_growth(batch.incoming, {row.event_id for row in rows}, frontier, heads)
        rows += growth.rows
        frontier, heads = growth.frontier, {**heads, **growth.jobs}
    assert rows == whole.rows
    assert frontier.root() == whole.frontier.root()
    assert heads == whole.jobs


def test_nothing_new_grows_nothing() -> None:
    first = grow(a_job("a"))
    again = grow(a_job("a"), first)
    assert again.rows == []
    assert again.frontier.root() == first.frontier.root()
    assert not again.closable


def test_a_job_is_closable_with_its_last_question_and_not_before() -> None:
    events = a_job("a", questions=3)
    assert not grow(events[:-1]).closable
    assert grow(events).closable


@pytest.mark.parametrize(("end", "state"), [(JobFailed, "failed"), (JobCancelled, "cancelled")])
def test_a_stopped_job_is_closable_at_once(end: type, state: str) -> None:
    growth = grow([a_job("a")[0], an_event(end, job_id="a")])
    assert growth.jobs["a"].stopped == state
    assert growth.jobs["a"].closable


def test_the_seal_and_the_decision_are_remembered_by_index() -> None:
    events = a_job("a")
    growth = grow([*events, an_event(JobSealed, job_id="a"), an_event(GateRefused, job_id="a")])
    head = growth.jobs["a"]
    assert (head.sealed_idx, head.gate_idx) == (len(events), len(events) + 1)
    assert not head.closable


def test_an_empty_head_waits_for_its_plan() -> None:
    assert not JobHead(entries=1).closable


@pytest.mark.parametrize(
    ("subject", "data"),
    [
        ("aml.v1.job.a.job_failed", b"not json"),
        ("aml.v1.job.a.job_failed", b'{"type":"from_the_future.v9"}'),
        ("aml.v1.job.other.job_failed", encode_event(an_event(JobFailed))),
        (subject_of(an_event(JobFailed)), encode_event(an_event(JobFailed)) + b" "),
        (subject_of(an_event(JobFailed)), b"\xff\xfe"),
    ],
)
def test_what_is_no_event_on_its_subject_is_refused_and_kept(subject: str, data: bytes) -> None:
    batch = read_batch([StreamMessage(1, subject, data), *messages(a_job("b", questions=1))])
    assert [(each.subject, each.data) for each in batch.refused] == [(subject, data)]
    assert batch.refused[0].problem
    assert len(batch.incoming) == len(a_job("b", questions=1))


def test_a_refusal_is_known_by_subject_and_bytes() -> None:
    one, two, three = (
        read_batch([StreamMessage(n, subject, b"?")]).refused[0] for n, subject in ((1, "x"), (2, "x"), (3, "y"))
    )
    assert one.digest == two.digest != three.digest


def test_full_tiles_are_stored() -> None:
    growth = grow(a_job("a", questions=130))
    assert [(level, index) for level, index, _ in growth.nodes] == [(8, 0), (8, 1)]


def test_an_event_that_no_bundle_could_hold_is_refused_wherever_it_would_stand() -> None:
    def failed(detail: int) -> JobFailed:
        return replace(an_event(JobFailed), detail="x" * detail)

    room = MAX_EVENT_BYTES - len(encode_event(failed(0)))
    fits, too_long = failed(room), failed(room + 1)

    assert [each.event for each in read_batch(messages([fits])).incoming] == [fits]
    assert [each.problem for each in read_batch(messages([too_long])).refused] == [
        f"an event of {MAX_EVENT_BYTES + 1} bytes; an entry's bundle has room for {MAX_EVENT_BYTES}"
    ]
    longest = {"event_id": "0" * 36, "index": 2**53, "job_seq": 2**53, "prev": "0" * 64}
    assert len(entry_bytes(event=encode_event(fits), **longest)) <= MAX_ENTRY_BYTES  # type: ignore[arg-type]


def test_a_decision_over_many_datasets_fits_into_a_bundle() -> None:
    """Five datasets of twelve categories, forty checks with all entries that a check names: twice what a release has."""
    gate = a_gate("a")
    check = GateCheck(
        name="c" * 40, passed=False, code="d" * 40, expected="e" * 200, found="f" * 200, entries=(9_999_999,) * 20
    )
    dataset = gate.result.datasets[0]
    wide = replace(dataset, categories=dataset.categories[:1] * 12)
    large = replace(gate, checks=(check,) * 40, result=replace(gate.result, datasets=(wide,) * 5))

    assert MAX_EVENT_BYTES // 2 < len(encode_event(large)) < MAX_EVENT_BYTES
