import json
from pathlib import Path
from typing import Any

import pytest

from aml.contracts.benchmark import Sample
from aml.ingest.benchmarks import BundleError, survey
from aml.ingest.benchmarks.locomo import read_locomo

OFFICIAL = Path(__file__).parents[4] / "../shared/data/locomo/locomo10.json"
needs_official = pytest.mark.skipif(not OFFICIAL.exists(), reason="the official locomo10.json is not at hand")


def a_conversation() -> dict[str, Any]:
    return {
        "speaker_a": "Ada",
        "speaker_b": "Bo",
        "session_2_date_time": "9:00 am on 2 May, 2023",
        "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "Back again."}],
        "session_10_date_time": "9:00 am on 9 May, 2023",
        "session_10": [{"speaker": "Ada", "dia_id": "D10:1", "text": "Still here."}],
        "session_1_date_time": "1:56 pm on 8 April, 2023",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "Look at my boat!", "blip_caption": "a red boat"},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Lovely.", "blip_caption": None},
        ],
        "session_11_date_time": "9:00 am on 10 May, 2023",
    }


def a_source(**changes: Any) -> dict[str, Any]:
    return {
        "sample_id": "c1",
        "conversation": a_conversation(),
        "qa": [
            {"question": "Which boat?", "answer": "red", "category": 4, "evidence": ["D1:1"]},
            {"question": "How many boats?", "answer": 1, "category": 1, "evidence": ["D1:1; D2:1", "D"]},
            {"question": "Which boat?", "answer": "red; or so", "category": 3, "evidence": ["D:1:2", "D10:01 D99:1"]},
            {"question": "Which car?", "adversarial_answer": "a red one", "category": 5, "evidence": []},
            {"question": "Is it Bo's?", "adversarial_answer": "Yes", "answer": "No", "category": 5, "evidence": []},
            {"question": "When?", "answer": "8 April", "category": 2, "evidence": ["D1:1"]},
        ],
        "event_summary": {},
    } | changes


def read_one(folder: Path, source: dict[str, Any]) -> Sample:
    path = folder / "locomo.json"
    path.write_text(json.dumps([source]))
    (sample,) = read_locomo(path)
    return sample


def test_sessions_come_in_the_order_of_their_numbers_and_a_lone_date_is_ignored(tmp_path: Path) -> None:
    sample = read_one(tmp_path, a_source())
    assert [session.session_id for session in sample.sessions] == ["session_1", "session_2", "session_10"]


def test_turns_name_their_speaker_and_describe_their_photo(tmp_path: Path) -> None:
    first, second = read_one(tmp_path, a_source()).sessions[0].turns
    assert first.content == "Ada: Look at my boat! [photo shared by Ada: a red boat]"
    assert (first.turn_id, first.role, first.timestamp) == ("D1:1", "user", 1_680_962_160_000)
    assert second.content == "Bo: Lovely."
    assert (second.turn_id, second.role, second.timestamp) == ("D1:2", "assistant", 1_680_962_161_000)


def test_malformed_evidence_is_read_where_it_can_be(tmp_path: Path) -> None:
    gold = read_one(tmp_path, a_source()).gold
    assert [item.evidence for item in gold[:4]] == [("D1:1",), ("D1:1", "D2:1"), ("D1:2", "D10:1"), ()]


def test_answers_become_text_and_open_ones_stay_whole(tmp_path: Path) -> None:
    gold = read_one(tmp_path, a_source()).gold
    assert [item.answers for item in gold] == [("red",), ("1",), ("red; or so",), (), (), ("8 April",)]


def test_adversarial_questions_want_abstention_and_stay_out_of_overall(tmp_path: Path) -> None:
    sample = read_one(tmp_path, a_source())
    assert [item.abstention for item in sample.gold] == [False, False, False, True, True, False]
    assert [question.in_overall for question in sample.questions] == [True, True, True, False, False, True]


def test_question_types_and_capabilities_follow_the_numbers(tmp_path: Path) -> None:
    questions = read_one(tmp_path, a_source()).questions
    assert [(question.question_type, question.category, question.capability) for question in questions] == [
        ("locomo_single_hop", "single_hop", "fact_recall"),
        ("locomo_multi_hop", "multi_hop", "multi_hop"),
        ("locomo_open_domain", "open_domain", "open_domain"),
        ("locomo_adversarial", "adversarial", "abstention"),
        ("locomo_adversarial", "adversarial", "abstention"),
        ("locomo_temporal", "temporal", "temporal"),
    ]


def test_repeated_questions_have_their_own_ids(tmp_path: Path) -> None:
    sample = read_one(tmp_path, a_source())
    assert [question.question_id for question in sample.questions] == [f"c1-q{index}" for index in range(6)]
    assert [gold.question_id for gold in sample.gold] == [question.question_id for question in sample.questions]


def spoil_conversation(key: str, value: Any) -> dict[str, Any]:
    return a_source(conversation=a_conversation() | {key: value})


def without(source: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in source.items() if name != key}


def a_question(**changes: Any) -> dict[str, Any]:
    return a_source(qa=[{"question": "?", "answer": "x", "category": 4, "evidence": []} | changes])


@pytest.mark.parametrize(
    ("source", "field"),
    [
        (without(a_source(), "conversation"), "conversation"),
        (without(a_source(), "qa"), "qa"),
        (without(a_source(), "sample_id"), "sample_id"),
        (a_source(sample_id=7), "sample_id"),
        (a_source(qa={}), "qa"),
        (a_source(conversation=without(a_conversation(), "speaker_b")), "conversation.speaker_b"),
        (a_source(conversation=without(a_conversation(), "session_2_date_time")), "conversation.session_2_date_time"),
        (spoil_conversation("session_2_date_time", "yesterday"), "conversation.session_2_date_time"),
        (spoil_conversation("session_2_date_time", 3), "conversation.session_2_date_time"),
        (spoil_conversation("session_2", "hello"), "conversation.session_2"),
        (spoil_conversation("session_2", [{"speaker": "Bo", "text": "?"}]), "conversation.session_2[0].dia_id"),
        (
            spoil_conversation("session_2", [{"speaker": "Cy", "dia_id": "D2:1", "text": "?"}]),
            "conversation.session_2[0].speaker",
        ),
        (
            spoil_conversation("session_2", [{"speaker": "Bo", "dia_id": "D2:1", "text": None}]),
            "conversation.session_2[0].text",
        ),
        (a_question(category=6), "qa[0].category"),
        (a_question(category="4"), "qa[0].category"),
        (a_question(answer=None), "qa[0].answer"),
        (a_question(answer=["x"]), "qa[0].answer"),
        (a_question(answer=True), "qa[0].answer"),
        (a_question(evidence="D1:1"), "qa[0].evidence"),
        (a_question(evidence=[1]), "qa[0].evidence[0]"),
    ],
)
def test_a_mutated_record_is_named_with_its_field(tmp_path: Path, source: dict[str, Any], field: str) -> None:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([a_source(sample_id="fine"), source]))

    with pytest.raises(BundleError) as caught:
        survey("locomo", path)

    assert caught.value.field == field
    assert caught.value.record is not None
    assert caught.value.record.startswith("record 2")
    assert str(caught.value).startswith(f"{path}: record 2")
    assert "\n" not in str(caught.value)


@needs_official
def test_the_official_file_counts_out() -> None:
    counts = survey("locomo", OFFICIAL)
    assert (counts.samples, counts.sessions, counts.turns, counts.questions) == (10, 272, 5882, 1986)
    assert counts.categories == {
        "multi_hop": 282,
        "temporal": 321,
        "open_domain": 96,
        "single_hop": 841,
        "adversarial": 446,
    }


@needs_official
def test_the_official_file_s_traps_are_read_as_documented() -> None:
    gold = {item.question_id: item for sample in read_locomo(OFFICIAL) for item in sample.gold}
    assert gold["conv-26-q37"].evidence == ("D8:6", "D9:17")
    assert gold["conv-42-q88"].evidence == ("D1:18", "D1:20")
    assert "D11:26" in gold["conv-43-q18"].evidence
    assert gold["conv-50-q69"].evidence == ("D30:5",)
    assert len(gold["conv-49-q46"].evidence) == 4
    adversarial = [item for item in gold.values() if item.abstention]
    assert len(adversarial) == 446
    assert all(item.answers == () for item in adversarial)
    assert sum(item.answers[0].isdecimal() for item in gold.values() if item.answers) >= 6
