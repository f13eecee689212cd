from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories.longmemeval import a_dataset, a_record

from aml.contracts.benchmark import Sample
from aml.ingest.benchmarks.longmemeval import read_with_answer_sessions
from aml.toolkit.longmemeval.errors import OptionInvalid
from aml.toolkit.longmemeval.oracle import OracleOptions, project


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> tuple[Sample, frozenset[str]]:
    path: Path = tmp_path_factory.mktemp("oracle") / "d.json"
    (found,) = read_with_answer_sessions(a_dataset(path, [a_record(1, sessions=12, evidence=5)]))
    return found


def names(sample: Sample) -> list[str]:
    return [session.session_id for session in sample.sessions]


def test_the_ceiling_has_the_answer_sessions_alone(source: tuple[Sample, frozenset[str]]) -> None:
    sample, report = project(*source, OracleOptions(), 42)
    assert names(sample) == ["s1-1", "s1-2", "s1-3", "s1-4", "s1-5"]
    assert sample.gold == source[0].gold
    assert (report.gold_available, report.gold_kept, report.distractors_added, report.met) == (5, 5, 0, True)


@given(distractors=st.integers(0, 20), fraction=st.floats(0.01, 1), seed=st.integers(0, 99))
def test_what_is_kept_and_added(
    source: tuple[Sample, frozenset[str]], distractors: int, fraction: float, seed: int
) -> None:
    whole, answering = source
    options = OracleOptions(distractor_sessions=distractors, gold_session_fraction=fraction)
    sample, report = project(whole, answering, options, seed)
    kept = [name for name in names(sample) if name in answering]
    assert len(kept) == report.gold_kept >= 1
    assert report.gold_kept - 1 < fraction * 5 + 1e-9 <= report.gold_kept + 1e-9
    assert report.distractors_added == len(names(sample)) - len(kept) == min(distractors, 7)
    assert names(sample) == [name for name in names(whole) if name in names(sample)]
    assert project(whole, answering, options, seed) == (sample, report)


def test_evidence_that_went_is_named_no_more(source: tuple[Sample, frozenset[str]]) -> None:
    sample, _ = project(*source, OracleOptions(gold_session_fraction=0.2), 1)
    turn_ids = {turn.turn_id for session in sample.sessions for turn in session.turns}
    assert len(sample.gold[0].evidence) == 1
    assert set(sample.gold[0].evidence) <= turn_ids


def test_a_question_without_an_answer_session_keeps_one_session(source: tuple[Sample, frozenset[str]]) -> None:
    sample, report = project(source[0], frozenset(), OracleOptions(), 1)
    assert names(sample) == ["s1-0"]
    assert report.gold_available == 0


@pytest.mark.parametrize(
    ("option", "value"),
    [("distractor_sessions", -1), ("gold_session_fraction", 0), ("gold_session_fraction", 1.1)],
)
def test_options_that_cannot_be(option: str, value: float) -> None:
    with pytest.raises(OptionInvalid) as caught:
        OracleOptions(**{option: value})  # type: ignore[arg-type]
    assert caught.value.option == option
