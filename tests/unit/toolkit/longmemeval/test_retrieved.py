from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.factories.longmemeval import a_dataset, a_record

from aml.contracts.benchmark import Sample
from aml.contracts.participant import Memory
from aml.ingest.benchmarks.longmemeval import read_longmemeval
from aml.toolkit.longmemeval.dataset import read_catalogue, write_sample
from aml.toolkit.longmemeval.options import LongMemEvalOptions
from aml.toolkit.longmemeval.retrieved import capture, mean_metrics, placed
from aml.toolkit.longmemeval.sampling import select

EVIDENCE = "By the way, my neighbour keeps a otter called Juniper1."


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    return next(iter(read_longmemeval(a_dataset(tmp_path / "d.json", [a_record(1)]))))


def found(*texts: str) -> list[Memory]:
    return [Memory(id=str(number), content=text) for number, text in enumerate(texts)]


def test_a_finding_is_placed_by_a_turn_in_it_or_by_its_words_in_a_turn(sample: Sample) -> None:
    memories = found("On Monday: " + EVIDENCE.upper(), "neighbour keeps a otter", "tell me about bridge number 103")
    captured = placed(sample, memories, ("s1-1",), with_content=False)
    assert [each.session for each in captured.findings] == ["s1-1", "s1-1", "s1-3"]
    assert [each.gold for each in captured.findings] == [True, True, False]
    assert (captured.first_gold_rank, captured.sessions, captured.unplaced) == (1, 2, 0)
    assert captured.findings[0].content is None


def test_what_was_rewritten_or_is_too_short_cannot_be_placed(sample: Sample) -> None:
    captured = placed(sample, found("The neighbour owns an otter.", "otter", EVIDENCE), ("s1-1",), with_content=True)
    assert [each.session for each in captured.findings] == [None, None, "s1-1"]
    assert (captured.unplaced, captured.first_gold_rank) == (2, 3)
    assert {each.k: each.recall_any for each in captured.metrics} == {1: 0.0, 3: 1.0, 5: 1.0, 10: 1.0}
    assert captured.findings[2].content == EVIDENCE


def test_without_an_answer_session_there_are_no_metrics(sample: Sample) -> None:
    captured = placed(sample, found(EVIDENCE), (), with_content=False)
    assert captured.metrics == ()
    assert mean_metrics([captured]) == ()


def test_the_mean_is_over_the_questions_that_have_metrics(sample: Sample) -> None:
    hit, miss = (placed(sample, found(text), ("s1-1",), with_content=False) for text in (EVIDENCE, "nothing of it"))
    none = placed(sample, found(EVIDENCE), (), with_content=False)
    assert mean_metrics([hit, miss, none])[0].recall_any == 0.5


def test_a_bundle_is_captured_question_by_question_and_abstentions_have_no_metrics(tmp_path: Path) -> None:
    path = a_dataset(tmp_path / "d.json", [a_record(1), a_record(2, abstention=True), a_record(3)])
    options = LongMemEvalOptions()
    written = write_sample(path, tmp_path, select(read_catalogue(path, hashed=False).entries, options), options)
    files: dict[str, Any] = {
        "q001": SimpleNamespace(memories=found(EVIDENCE)),
        "q002_abs": SimpleNamespace(memories=found(EVIDENCE)),
        "q003": SimpleNamespace(memories=None),
    }
    captured = capture(written.path, written.keys, files, "references")
    assert set(captured) == {"q001", "q002_abs"}
    assert len(captured["q001"].metrics) == 4
    assert captured["q002_abs"].metrics == ()
    assert capture(written.path, written.keys, files, "none") == {}
