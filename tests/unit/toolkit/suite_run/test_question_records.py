from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from aml.contracts.packs import AnswerRecord, FactVerdict, VerdictRecord
from aml.gateway.jobs.views import Failure
from aml.gateway.results.views import QuestionFile, QuestionRow, QuestionText
from aml.toolkit.suite_run.agent_bundle import AgentBundle, AskedQuestions, read_asked
from aml.toolkit.suite_run.question_records import question_records
from aml.toolkit.suite_run.run_bundle import BundleRun
from aml.toolkit.suites.bundle import write_suite
from aml.toolkit.suites.compilation import QuestionKey
from aml.toolkit.suites.presets import PRESETS


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> tuple[QuestionKey, AskedQuestions]:
    path: Path = tmp_path_factory.mktemp("suite") / "suite"
    manifest = write_suite(path, PRESETS["quick"], limit=1)
    asked = read_asked(AgentBundle(name="suite", path=path, sha256=manifest.sha256))
    return next(key for key in manifest.questions if key.evidence), asked


def a_row(**changes: Any) -> QuestionRow:
    values: dict[str, Any] = dict.fromkeys(QuestionRow.__struct_fields__)
    values |= {"unit": "u1", "outcome": "graded", "score": 730_000, "search_micros": 12_500, "prompt_tokens": 0}
    return QuestionRow(**(values | changes))


def a_file(key: QuestionKey, row: QuestionRow, **changes: Any) -> QuestionFile:
    values: dict[str, Any] = {
        "job_id": "job-1",
        "row": row,
        "evidence": "kept",
        "question": QuestionText(
            question_id=key.question_id,
            text=key.ask,
            options=(),
            category=key.category,
            capability="fact_recall",
            in_overall=True,
            asked_at=None,
        ),
        "memories": None,
        "answer": AnswerRecord(text="On shelf 9.", answerer="agent"),
        "verdict": VerdictRecord(
            rule="facts",
            score=730_000,
            reason="1 of 2 facts",
            facts=(FactVerdict(text="shelf 9", importance=90, said=True),),
            forbidden=("shelf 6",),
        ),
        "attempts": None,
        "gold_shown": True,
        "gold": None,
    }
    return QuestionFile(**(values | changes))


@dataclass
class Ended:
    """What of a job is read here."""

    stage: str = "ended"
    state: str = "cancelled"
    failure: Failure | None = None


def a_run(
    files: dict[str, QuestionFile], failures: dict[str, str] | None = None, job: Ended | None = None
) -> BundleRun:
    return BundleRun(
        job=job or Ended(),  # type: ignore[arg-type]
        results=None,  # type: ignore[arg-type]
        files=files,
        failures=failures or {},
        checkpoint=None,
        sampling="not_requested",
        started_at=None,  # type: ignore[arg-type]
        seconds=1.0,
    )


def test_a_scored_question_has_all_that_is_known_of_it(suite: tuple[QuestionKey, AskedQuestions]) -> None:
    key, asked = suite

    [record] = question_records([key], asked, a_run({key.question_id: a_file(key, a_row())}), repeat=2)

    assert (record.score, record.reason, record.answer) == (73.0, "1 of 2 facts", "On shelf 9.")
    assert [(fact.text, fact.critical, fact.said) for fact in record.facts] == [("shelf 9", True, True)]
    assert record.forbidden == ("shelf 6",)
    assert record.latency_ms == 12.5
    assert record.evidence == asked.by_id[key.question_id].evidence
    assert record.asked_on is not None
    assert record.unscored is None
    assert record.repeat == 2


def test_an_unscored_question_has_a_reason_and_what_the_agent_raised(
    suite: tuple[QuestionKey, AskedQuestions],
) -> None:
    key, asked = suite
    row = a_row(outcome="unscored", score=None, stage="retrieval", reason="http_error", detail="HTTP 500")
    run = a_run({key.question_id: a_file(key, row, answer=None, verdict=None)}, {key.question_id: "it raised"})

    [record] = question_records([key], asked, run)

    assert record.score is None
    assert record.unscored is not None
    assert (record.unscored.stage, record.unscored.reason) == ("retrieval", "http_error")
    assert record.unscored.detail == "HTTP 500: it raised"


def test_what_the_agent_raised_explains_no_failure_of_the_judge(suite: tuple[QuestionKey, AskedQuestions]) -> None:
    """An earlier attempt had failed, and a later one answered."""
    key, asked = suite
    row = a_row(outcome="unscored", score=None, stage="scoring", reason="model_away", detail="no reply")
    run = a_run({key.question_id: a_file(key, row, verdict=None)}, {key.question_id: "it raised"})

    [record] = question_records([key], asked, run)

    assert record.unscored is not None
    assert record.unscored.detail == "no reply"
    assert record.answer == "On shelf 9."


def test_a_question_that_was_never_reached_is_unscored_and_not_left_out(
    suite: tuple[QuestionKey, AskedQuestions],
) -> None:
    key, asked = suite

    [record] = question_records([key], asked, a_run({}))

    assert record.score is None
    assert record.unscored is not None
    assert record.unscored.reason == "job_cancelled"


def test_what_stopped_the_job_is_why_the_rest_was_not_asked(suite: tuple[QuestionKey, AskedQuestions]) -> None:
    key, asked = suite
    job = Ended(state="failed", failure=Failure(stage="retrieval", reason="schema", detail="data[0].score is a text"))

    [record] = question_records([key], asked, a_run({}, job=job))

    assert record.unscored is not None
    assert (record.unscored.stage, record.unscored.reason) == ("retrieval", "schema")
    assert record.unscored.detail == "the job stopped: data[0].score is a text"


def test_a_score_stands_where_the_texts_are_gone(suite: tuple[QuestionKey, AskedQuestions]) -> None:
    key, asked = suite
    gone = a_file(key, a_row(), evidence="destroyed", question=None, answer=None, verdict=None)

    [record] = question_records([key], asked, a_run({key.question_id: gone}))

    assert (record.score, record.answer, record.unscored) == (73.0, None, None)


def test_an_empty_answer_is_none(suite: tuple[QuestionKey, AskedQuestions]) -> None:
    key, asked = suite
    row = a_row(outcome="incorrect", score=0)
    run = a_run({key.question_id: a_file(key, row, answer=AnswerRecord(text="", answerer="agent"))})

    [record] = question_records([key], asked, run)

    assert (record.answer, record.score, record.unscored) == (None, 0.0, None)
