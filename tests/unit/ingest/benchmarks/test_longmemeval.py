import json
from pathlib import Path
from typing import Any

import pytest

from aml.contracts.benchmark import Sample
from aml.ingest.benchmarks import BundleError, survey
from aml.ingest.benchmarks.longmemeval import read_longmemeval, read_with_answer_sessions

FOLDER = Path(__file__).parents[4] / "../shared/data/longmemeval"
LIKE = FOLDER / "longmemeval-like.json"
SUBSET = FOLDER / "agenteval-synthetic-subset.json"


def said(role: str, content: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content} | more


def a_source(**changes: Any) -> dict[str, Any]:
    return {
        "question_id": "q1",
        "question_type": "multi-session",
        "question": "How many lamps?",
        "answer": 3,
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["s", "t", "s"],
        "haystack_dates": ["2023/05/01 (Mon) 10:00", "2023/05/02 (Tue) 10:00", "2023/05/03 (Wed) 10:00"],
        "haystack_sessions": [
            [said("user", "One lamp.", has_answer=True), said("assistant", "Bright.", has_answer=False)],
            [said("assistant", "Hello?"), said("assistant", "Anyone?"), said("user", "Me.")],
            [said("user", "Two lamps more.", has_answer=True)],
        ],
        "answer_session_ids": ["s"],
    } | changes


def write(folder: Path, *sources: dict[str, Any]) -> Path:
    path = folder / "lme.json"
    path.write_text(json.dumps(sources))
    return path


def read_one(folder: Path, source: dict[str, Any]) -> Sample:
    (sample,) = read_longmemeval(write(folder, source))
    return sample


def test_every_question_is_a_sample(tmp_path: Path) -> None:
    sample = read_one(tmp_path, a_source())
    assert sample.sample_id == sample.questions[0].question_id == sample.gold[0].question_id == "q1"
    assert sample.gold[0].answers == ("3",)
    assert sample.questions[0].asked_at == 1_685_490_000_000


def test_the_sessions_that_hold_the_answer_are_named_beside_it_marked_or_not(tmp_path: Path) -> None:
    plain = [said("user", "Two lamps."), said("assistant", "Noted.")]
    source = a_source(haystack_sessions=[plain, plain, plain])
    ((_, answering),) = read_with_answer_sessions(write(tmp_path, source))
    assert answering == {"s", "s#2"}


def test_questions_that_nobody_wants_are_passed_over_unread(tmp_path: Path) -> None:
    path = write(tmp_path, a_source(question_id="a", question=7), a_source(question_id="b"))
    assert [sample.sample_id for sample, _ in read_with_answer_sessions(path, {"b"})] == ["b"]
    with pytest.raises(BundleError):
        next(read_with_answer_sessions(path, {"a"}))


def test_repeated_session_ids_are_told_apart(tmp_path: Path) -> None:
    sample = read_one(tmp_path, a_source())
    assert [session.session_id for session in sample.sessions] == ["s", "t", "s#2"]


def test_a_number_that_the_source_itself_uses_is_skipped(tmp_path: Path) -> None:
    sample = read_one(tmp_path, a_source(haystack_session_ids=["s", "s#2", "s"]))
    assert [session.session_id for session in sample.sessions] == ["s", "s#2", "s#3"]


def test_roles_keep_their_order_and_times_follow_the_session(tmp_path: Path) -> None:
    turns = read_one(tmp_path, a_source()).sessions[1].turns
    assert [turn.role for turn in turns] == ["assistant", "assistant", "user"]
    assert [turn.turn_id for turn in turns] == ["t:1", "t:2", "t:3"]
    assert [turn.timestamp for turn in turns] == [1_683_021_600_000, 1_683_021_601_000, 1_683_021_602_000]


def test_evidence_is_the_marked_turns(tmp_path: Path) -> None:
    assert read_one(tmp_path, a_source()).gold[0].evidence == ("s:1", "s#2:1")


def test_without_marks_evidence_is_all_turns_of_the_answer_sessions(tmp_path: Path) -> None:
    unmarked = [[said("user", "a"), said("assistant", "b")], [said("user", "c")], [said("user", "d")]]
    source = a_source(haystack_sessions=unmarked, answer_session_ids=["s", "elsewhere"])
    assert read_one(tmp_path, source).gold[0].evidence == ("s:1", "s:2", "s#2:1")


def test_an_abs_question_wants_abstention_and_keeps_its_category(tmp_path: Path) -> None:
    sample = read_one(tmp_path, a_source(question_id="q1_abs"))
    question, gold = sample.questions[0], sample.gold[0]
    assert (question.question_type, question.category, question.capability) == (
        "longmemeval_abstention",
        "multi_session",
        "multi_hop",
    )
    assert gold.abstention
    assert gold.answers == ()


@pytest.mark.parametrize(
    ("source_type", "question_type", "capability"),
    [
        ("single-session-user", "longmemeval_single_session_user", "fact_recall"),
        ("single-session-assistant", "longmemeval_single_session_assistant", "fact_recall"),
        ("single-session-preference", "longmemeval_single_session_preference", "preference"),
        ("multi-session", "longmemeval_multi_session", "multi_hop"),
        ("temporal-reasoning", "longmemeval_temporal_reasoning", "temporal"),
        ("knowledge-update", "longmemeval_knowledge_update", "knowledge_update"),
    ],
)
def test_types_are_mapped(tmp_path: Path, source_type: str, question_type: str, capability: str) -> None:
    question = read_one(tmp_path, a_source(question_type=source_type)).questions[0]
    assert (question.question_type, question.capability) == (question_type, capability)


@pytest.mark.parametrize("field", [name for name in a_source() if name != "question_id"])
def test_every_missing_field_is_named(tmp_path: Path, field: str) -> None:
    spoilt = {name: value for name, value in a_source(question_id="q2").items() if name != field}
    path = write(tmp_path, a_source(), spoilt)
    with pytest.raises(BundleError) as caught:
        survey("longmemeval", path)
    assert (caught.value.file, caught.value.record, caught.value.field) == (path, "record 2 (q2)", field)
    assert str(caught.value) == f"{path}: record 2 (q2): {field}: is missing"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"question_id": 5}, "question_id"),
        ({"question_type": "abstention"}, "question_type"),
        ({"question": None}, "question"),
        ({"question": "  "}, "question"),
        ({"answer": ["3"]}, "answer"),
        ({"answer": True}, "answer"),
        ({"question_date": "2023-05-30"}, "question_date"),
        ({"haystack_dates": ["2023/05/01 (Mon) 10:00"]}, "haystack_dates"),
        ({"haystack_dates": ["2023/05/01 (Mon) 10:00", "2023/02/30 (Tue) 10:00", ""]}, "haystack_dates[1]"),
        ({"haystack_sessions": [[]]}, "haystack_sessions"),
        ({"haystack_sessions": [[], [{"role": "user"}], []]}, "haystack_sessions[1][0].content"),
        ({"haystack_sessions": [[], [{"role": "system", "content": "x"}], []]}, "haystack_sessions[1][0].role"),
        ({"haystack_sessions": [[], [{"role": "user", "content": 1}], []]}, "haystack_sessions[1][0].content"),
        ({"haystack_sessions": [[], [], []]}, "sessions"),
        ({"answer_session_ids": "s"}, "answer_session_ids"),
    ],
)
def test_every_wrong_value_is_named(tmp_path: Path, changes: dict[str, Any], field: str) -> None:
    with pytest.raises(BundleError) as caught:
        survey("longmemeval", write(tmp_path, a_source(question_id="fine"), a_source(**changes)))
    assert caught.value.field == field
    assert caught.value.record is not None


@pytest.mark.skipif(not LIKE.exists(), reason="the LongMemEval-like data is not at hand")
def test_real_sessions_are_read_whole() -> None:
    counts = survey("longmemeval", LIKE)
    assert (counts.samples, counts.questions, counts.sessions) == (78, 78, 1560)
    assert sum(gold.abstention for sample in read_longmemeval(LIKE) for gold in sample.gold) == 9


@pytest.mark.skipif(not SUBSET.exists(), reason="the incomplete subset is not at hand")
def test_a_file_with_fields_missing_is_refused() -> None:
    with pytest.raises(BundleError, match="question_date: is missing"):
        survey("longmemeval", SUBSET)
