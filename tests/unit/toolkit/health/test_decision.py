"""From measurements to a status."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.factories.suite_results import a_question, a_result

from aml.toolkit.health.decision import CheckFailed, Measured, Thresholds, decide_health
from aml.toolkit.results import QuestionRecord, SuiteResult, Unscored

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
FAILED = CheckFailed(at=NOW, problem="StartFailed: postgres did not start")


def a_run(*scores: float | None, stage: str = "scoring", category: str = "basic_retention") -> SuiteResult:
    questions: list[QuestionRecord] = []
    for number, score in enumerate(scores):
        why = {} if score is not None else {"unscored": Unscored(stage=stage, reason="transport", detail="")}
        questions.append(a_question(category, score, number=number, **why))
    return a_result(questions)


def measured(result: SuiteResult, *, hours_ago: float = 1.0) -> Measured:
    return Measured(at=NOW - timedelta(hours=hours_ago), result=result)


@pytest.mark.parametrize(
    ("result", "status", "reasons"),
    [
        (a_run(100.0, 100.0), "healthy", ()),
        (a_run(80.0), "healthy", ()),
        (a_run(79.0), "degraded", ("Overall 79.0 is below 80",)),
        (a_run(60.0), "degraded", ("Overall 60.0 is below 80",)),
        (a_run(59.0), "unhealthy", ("Overall 59.0 is below 60",)),
        (a_run(100.0, None, stage="scoring"), "unknown", ("1 of 2 answers could not be scored",)),
        (a_run(100.0, 100.0, None, stage="retrieval"), "degraded", ("1 of 3 questions got no answer",)),
        (a_run(100.0, None, stage="retrieval"), "unhealthy", ("1 of 2 questions got no answer",)),
        (a_run(None, None, stage="ingest"), "unhealthy", ("2 of 2 questions got no answer",)),
        (a_run(), "unknown", ("0 of 0 answers could not be scored",)),
    ],
)
def test_scores_and_silence_make_the_status(result: SuiteResult, status: str, reasons: tuple[str, ...]) -> None:
    found = decide_health(measured(result), None, Thresholds(), NOW)
    assert (found.status, found.reasons) == (status, reasons)


def test_a_category_has_its_own_threshold() -> None:
    thresholds = Thresholds(categories={"basic_retention": 95, "reach_back": 50})
    found = decide_health(measured(a_run(90.0)), None, thresholds, NOW)
    assert found.status == "degraded"
    assert found.reasons == (
        "basic_retention 90.0 is below 95",
        "reach_back is not measured by the suite quick",
    )


def test_an_incomplete_run_shows_no_overall() -> None:
    found = decide_health(measured(a_run(100.0, None)), None, Thresholds(), NOW)
    assert found.overall is None
    assert (found.scored, found.planned) == (1, 2)


def test_before_the_first_measurement_nothing_is_known() -> None:
    assert decide_health(None, None, Thresholds(), NOW).reasons == ("not measured yet",)
    found = decide_health(None, FAILED, Thresholds(), NOW)
    assert found.status == "unknown"
    assert found.reasons == ("the check itself failed: StartFailed: postgres did not start",)


def test_a_result_stands_when_a_later_check_fails_until_it_is_stale() -> None:
    fresh = decide_health(measured(a_run(100.0)), FAILED, Thresholds(), NOW)
    assert fresh.status == "healthy"
    assert fresh.reasons == ("the check itself failed since: StartFailed: postgres did not start",)
    stale = decide_health(measured(a_run(100.0), hours_ago=27), None, Thresholds(), NOW)
    assert stale.status == "unknown"
    assert stale.reasons == ("last measured 27.0 h ago",)


@pytest.mark.parametrize("wrong", [{"healthy": 50.0}, {"healthy": 101.0}, {"degraded": -1.0}, {"silent_share": 0.0}])
def test_contradictory_thresholds_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"wanted|give a share"):
        Thresholds(**wrong)
