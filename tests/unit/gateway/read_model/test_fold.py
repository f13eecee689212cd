"""Events to rows: each unit once a batch, each fact with what it counts towards."""

from typing import Any

from aml.contracts.envelope import EvidenceRef
from aml.contracts.jobs import JobFailed
from aml.contracts.units import ChunkAdded, QuestionOpened, SearchReturned, UnitParked, UnitRequeued
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.gateway.read_model.fold import Kind, Trouble, fold

REF = EvidenceRef(digest="a" * 64, size=1, media_type="application/json")
PLACE: dict[str, Any] = {"at": 1, "job_id": "j", "unit": "u", "sample": "s", "index": 4, "dataset": "d"}


def searched(**changes: Any) -> SearchReturned:
    values: dict[str, Any] = {
        "returned": 3,
        "memories": REF,
        "attempts": 3,
        "latency": 1500,
        "received": 9,
        "attempt_log": None,
    } | changes
    return SearchReturned(**PLACE, **values)


def scored(outcome: Any) -> AnswerScored:
    return AnswerScored(
        **PLACE,
        category="c",
        capability="other",
        outcome=outcome,
        score=0,
        in_overall=True,
        rule="choice",
        verdict=REF,
        evidence_recall=None,
        primary_calls=1,
        retry_calls=0,
    )


def unscored(reason: Any) -> UnitUnscored:
    return UnitUnscored(
        **PLACE, category="c", stage="answer", reason=reason, detail="why", attempts=1, attempt_log=None
    )


def test_one_questions_events_become_one_row() -> None:
    folded = fold([QuestionOpened(**PLACE), searched(), scored("incorrect")])

    (row,) = folded.units.values()
    assert (row["item"], row["search_micros"], row["outcome"], row["judge_calls"]) == (4, 1500, "incorrect", 1)
    assert folded.facts == [("j", Kind.OPENED, "u", 0), ("j", Kind.SEARCHED, "u", 2), ("j", Kind.INCORRECT, "u", 0)]


def test_the_platforms_own_failures_are_counted_apart() -> None:
    kinds = {reason: fold([unscored(reason)]).facts[0][1] for reason in ("transport", "contract", "model", "internal")}

    assert kinds == {
        "transport": Kind.UNSCORED,
        "contract": Kind.UNSCORED,
        "model": Kind.UNSCORED_BY_PLATFORM,
        "internal": Kind.UNSCORED_BY_PLATFORM,
    }


def test_a_judge_s_calls_are_counted_where_they_came_to_no_verdict_too() -> None:
    undecided = UnitUnscored(
        **PLACE, category="c", stage="scoring", reason="judge", detail="why", attempts=3, attempt_log=None
    )

    assert [row["judge_calls"] for row in fold([undecided]).units.values()] == [3]
    assert all("judge_calls" not in row for row in fold([unscored("transport")]).units.values())


def test_a_call_without_attempts_has_no_negative_retries() -> None:
    assert fold([searched(attempts=0)]).facts[0][3] == 0


def test_the_last_trouble_of_a_job_is_kept_and_a_success_is_none() -> None:
    requeued = UnitRequeued(
        at=1, job_id="j", unit="u-retrieval-1", stage="retrieval", requeue=1, trigger="t", reason="transport",
        detail="refused", not_before=0, attempt_log=None,
    )  # fmt: skip

    assert fold([unscored("model"), requeued, searched()]).troubles == {
        "j": Trouble(stage="retrieval", reason="transport", detail="refused")
    }
    assert fold([searched(), scored("correct")]).troubles == {}


def test_milestones_keep_their_order_and_chunks_make_no_question_row() -> None:
    parked = UnitParked(at=1, job_id="j", unit="u-answer-1", stage="answer", trigger="t", error="e")
    failed = JobFailed(at=1, job_id="j", stage="ingest", reason="contract", detail="d", attempt_log=None)
    chunk = ChunkAdded(
        at=1, job_id="j", unit="c", sample="s", index=0, messages=1, attempts=1, latency=1, received=9, attempt_log=None
    )

    folded = fold([parked, chunk, failed])

    assert folded.milestones == [parked, failed]
    assert folded.units == {}
    assert [kind for _, kind, _, _ in folded.facts] == [Kind.PARKED, Kind.CHUNK_ADDED]
