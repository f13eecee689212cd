import hashlib
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from aml.contracts.benchmark import Gold, Question, Sample, Session, Turn
from aml.ingest.benchmarks import BundleDigestMismatch, BundleError, sha256_of, survey, verify_bundle
from aml.ingest.benchmarks.practice.bundle_format import encode_practice


def a_sample(name: str = "a", **changes: Any) -> Sample:
    turn = Turn(turn_id="t1", role="user", content="hello")
    parts: dict[str, Any] = {
        "sample_id": name,
        "sessions": (Session(session_id="s1", turns=(turn,)),),
        "questions": (a_question(f"{name}-q"),),
        "gold": (Gold(question_id=f"{name}-q", answers=("x",), evidence=("t1",)),),
    }
    return Sample(**(parts | changes))


def a_question(name: str, text: str = "What?", *, in_overall: bool = True) -> Question:
    return Question(
        question_id=name,
        text=text,
        question_type="practice_other",
        category="other",
        capability="other",
        in_overall=in_overall,
    )


def write(folder: Path, *samples: Sample) -> Path:
    path = folder / "bundle"
    path.write_bytes(encode_practice(samples))
    return path


def a_locomo_file(folder: Path) -> Path:
    path = folder / "locomo.json"
    conversation = {
        "speaker_a": "Ada",
        "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 April, 2023",
        "session_1": [{"speaker": "Ada", "dia_id": "D1:1", "text": "Grüße"}],
    }
    qa = [{"question": "Which?", "answer": "red", "category": 4, "evidence": ["D1:1"]}]
    path.write_text(
        json.dumps([{"sample_id": f"c{n}", "conversation": conversation, "qa": qa} for n in range(3)]), "utf-8"
    )
    return path


def test_a_survey_counts_what_is_there(tmp_path: Path) -> None:
    counts = survey("practice", write(tmp_path, a_sample("a"), a_sample("b")))
    assert (counts.samples, counts.sessions, counts.turns, counts.questions) == (2, 2, 2, 2)
    assert counts.categories == {"other": 2}


SESSION = a_sample().sessions[0]


@pytest.mark.parametrize(
    ("samples", "record", "field"),
    [
        ([a_sample(""), a_sample("b")], "sample ", "sample_id"),
        ([a_sample("a"), a_sample("a")], "sample a", "sample_id"),
        ([a_sample("a", sessions=(SESSION, SESSION))], "sample a", "session_id"),
        (
            [a_sample("a", sessions=(SESSION, Session(session_id="s2", turns=SESSION.turns)))],
            "sample a",
            "turn_id",
        ),
        ([a_sample("a", sessions=())], "sample a", "sessions"),
        ([a_sample("a", gold=())], "sample a", "gold"),
        ([a_sample("a", questions=(a_question("z"),))], "sample a, question z", "gold"),
        ([a_sample("a", questions=(a_question("a-q", " "),))], "sample a, question a-q", "question"),
        ([a_sample("a", gold=(Gold(question_id="a-q", answers=()),))], "sample a, question a-q", "answer"),
        (
            [a_sample("a", gold=(Gold(question_id="a-q", answers=("x",), evidence=("t9",)),))],
            "sample a, question a-q",
            "evidence",
        ),
        (
            [a_sample("b", questions=(a_question("x"),), gold=(Gold(question_id="x", answers=("1",)),)) for _ in "1"]
            + [a_sample("c", questions=(a_question("x"),), gold=(Gold(question_id="x", answers=("1",)),))],
            "sample c, question x",
            "question_id",
        ),
        (
            [a_sample("a"), a_sample("b", questions=(a_question("b-q", in_overall=False),))],
            "question b-q",
            "category",
        ),
        ([a_sample("a", questions=(), gold=())], None, None),
        ([], None, None),
    ],
)
def test_a_survey_refuses_what_does_not_hang_together(
    tmp_path: Path, samples: list[Sample], record: str | None, field: str | None
) -> None:
    path = write(tmp_path, *samples)
    with pytest.raises(BundleError) as caught:
        survey("practice", path)
    assert (caught.value.file, caught.value.record, caught.value.field) == (path, record, field)


@pytest.mark.parametrize("share", [0.01, 0.2, 0.5, 0.7, 0.9, 0.999])
def test_a_truncated_array_names_the_record_where_it_ends(tmp_path: Path, share: float) -> None:
    whole = a_locomo_file(tmp_path)
    data = whole.read_bytes()
    whole.write_bytes(data[: max(1, int(len(data) * share))])
    with pytest.raises(BundleError, match=r"locomo\.json: record [1234]: is not complete, valid JSON") as caught:
        survey("locomo", whole)
    assert caught.value.record is not None


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is empty"),
        (b"{}", "must hold one JSON array"),
        (b"\xef\xbb\xbf[]", "must hold one JSON array"),
        (b"[]", "holds no samples"),
        (b"[1]", "record 1: wrong value: Expected `object`, got `int`"),
        (b"[NaN]", "record 1: is not complete, valid JSON"),
        (b'["\xff"]', "record 1: is not complete, valid JSON"),
        (b'[{"a":1},]', "record 1: sample_id: is missing"),
        (b"[] []", "is not complete, valid JSON"),
    ],
)
def test_what_is_no_dataset_is_refused_in_one_line(tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(data)
    with pytest.raises(BundleError) as caught:
        survey("locomo", path)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_values_from_the_file_cannot_break_the_line(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps([{"sample_id": "a\nb\x1b[2J" + "x" * 5000}]))
    with pytest.raises(BundleError) as caught:
        survey("locomo", path)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for read in (sha256_of, lambda file: survey("locomo", file), lambda file: survey("practice", file)):
        with pytest.raises(BundleError, match="cannot be read") as caught:
            read(path)
        assert caught.value.file == path


def test_the_pinned_file_is_accepted_and_another_is_not(tmp_path: Path) -> None:
    path = tmp_path / "bundle"
    path.write_bytes(b"content")
    digest = hashlib.sha256(b"content").hexdigest()
    verify_bundle(path, digest)
    assert sha256_of(path) == digest
    with pytest.raises(BundleDigestMismatch) as caught:
        verify_bundle(path, "0" * 64)
    assert (caught.value.expected, caught.value.found, caught.value.field) == ("0" * 64, digest, "sha256")


def test_memory_stays_at_a_record_however_long_the_file(tmp_path: Path) -> None:
    """6 MB in 60 records: the peak must stay near one record, not near the file."""
    path = tmp_path / "lme.json"
    turn = {"role": "user", "content": "word " * 200}
    record = {
        "question_type": "multi-session", "question": "?", "answer": "x", "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["s"], "haystack_dates": ["2023/05/01 (Mon) 10:00"],
        "haystack_sessions": [[turn] * 100], "answer_session_ids": ["s"],
    }  # fmt: skip
    path.write_text(json.dumps([{"question_id": f"q{number}"} | record for number in range(60)]))
    tracemalloc.start()
    try:
        survey("longmemeval", path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 6_000_000
    assert peak < 2_000_000
