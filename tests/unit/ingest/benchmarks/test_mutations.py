"""Every value of a good record, taken out or replaced by each wrong kind: a bundle is read or refused, never a crash."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aml.ingest.benchmarks import BundleError, survey

LOCOMO: dict[str, Any] = {
    "sample_id": "c1",
    "conversation": {
        "speaker_a": "Ada",
        "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 April, 2023",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "Look!", "blip_caption": "a boat", "img_url": ["x"]},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Lovely."},
        ],
    },
    "qa": [
        {"question": "Which?", "answer": "red", "category": 4, "evidence": ["D1:1"]},
        {"question": "Whose?", "adversarial_answer": "Bo's", "category": 5, "evidence": []},
    ],
}
LONGMEMEVAL: dict[str, Any] = {
    "question_id": "q1",
    "question_type": "multi-session",
    "question": "How many?",
    "answer": 3,
    "question_date": "2023/05/30 (Tue) 23:40",
    "haystack_session_ids": ["s"],
    "haystack_dates": ["2023/05/01 (Mon) 10:00"],
    "haystack_sessions": [[{"role": "user", "content": "Three.", "has_answer": True}]],
    "answer_session_ids": ["s"],
}
WRONG: list[Any] = [None, True, -1, 2.5, "", "\x00\n", [], [[]], {}, {"a": 1}]


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield from places(inner, (*path, key))


def mutants(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in places(record):
        for wrong in (*WRONG, ...):
            mutant = copy.deepcopy(record)
            parent: Any = mutant
            for key in path[:-1]:
                parent = parent[key]
            if wrong is ...:
                del parent[path[-1]]
            else:
                parent[path[-1]] = wrong
            yield mutant


@pytest.mark.parametrize(("adapter", "record"), [("locomo", LOCOMO), ("longmemeval", LONGMEMEVAL)])
def test_a_mutant_is_read_or_refused_with_its_place(tmp_path: Path, adapter: str, record: dict[str, Any]) -> None:
    path = tmp_path / "file.json"
    refusals: list[BundleError] = []
    for mutant in mutants(record):
        path.write_text(json.dumps([mutant]))
        try:
            survey(adapter, path)
        except BundleError as error:
            refusals.append(error)
    assert len(refusals) > 100
    for refusal in refusals:
        assert refusal.file == path
        assert str(refusal).isprintable()
        assert refusal.record or refusal.problem == "holds no questions"


@pytest.mark.parametrize(("adapter", "record"), [("locomo", LOCOMO), ("longmemeval", LONGMEMEVAL)])
def test_a_file_cut_at_any_byte_is_refused(tmp_path: Path, adapter: str, record: dict[str, Any]) -> None:
    path = tmp_path / "file.json"
    data = json.dumps([record]).encode()
    for end in range(len(data)):
        path.write_bytes(data[:end])
        with pytest.raises(BundleError):
            survey(adapter, path)
