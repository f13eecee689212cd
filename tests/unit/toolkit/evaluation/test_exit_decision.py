import msgspec
import pytest
from tests.factories.platform_views import a_failure, a_job, results_of
from tests.factories.results import a_gate, a_result, a_tally

from aml.contracts.seals import JobResult, ReasonCount
from aml.gateway.jobs.views import Job
from aml.toolkit.evaluation.exit_decision import Conclusion, conclude
from aml.toolkit.evaluation.run_outcome import RunOutcome, run_outcome
from aml.toolkit.evaluation.run_record import SystemShown

SYSTEM = SystemShown(
    label="example:fts5",
    add_url="http://h/add",
    search_url="http://h/search",
    health_url="http://h/health",
    auth="none",
)


def an_outcome(result: JobResult | None = None, job: Job | None = None) -> RunOutcome:
    results = results_of(a_gate(result=result or a_result(700_000)))
    return run_outcome(job or a_job(done=120), SYSTEM, results, unscored=(), checkpoint=None)


def incomplete() -> JobResult:
    complete = a_result(700_000)
    [dataset] = complete.datasets
    missing = msgspec.structs.replace(a_tally(700_000), scored=117, incorrect=33, unscored=3)
    reasons = (ReasonCount(reason="judge", questions=1), ReasonCount(reason="transport", questions=2))
    holed = msgspec.structs.replace(dataset, overall=missing, all_questions=missing, unscored=reasons)
    return msgspec.structs.replace(complete, overall=None, interval=None, datasets=(holed,))


@pytest.mark.parametrize(
    ("fail_under", "conclusion"),
    [(None, Conclusion.PASSED), (70, Conclusion.PASSED), (70.01, Conclusion.BELOW_THRESHOLD), (0, Conclusion.PASSED)],
)
def test_a_threshold_is_passed_by_reaching_it(fail_under: float | None, conclusion: Conclusion) -> None:
    assert conclude(an_outcome(), fail_under).conclusion is conclusion


def test_unscored_questions_win_over_a_threshold() -> None:
    verdict = conclude(an_outcome(incomplete()), fail_under=99)

    assert verdict.conclusion is Conclusion.INCOMPLETE
    assert verdict.sentence == "3 of 120 questions are unscored (judge 1, transport 2)"


def test_a_stopped_run_says_where_and_why() -> None:
    verdict = conclude(an_outcome(incomplete(), a_job(state="failed", failure=a_failure())), None)

    assert verdict.conclusion is Conclusion.INCOMPLETE
    assert verdict.sentence == "the run stopped in stage retrieval (contract): Search: id is an empty string"


def test_a_cancelled_run_is_incomplete() -> None:
    assert "was cancelled" in conclude(an_outcome(incomplete(), a_job(state="cancelled")), None).sentence


def test_a_run_of_no_question_is_no_success() -> None:
    empty = msgspec.structs.replace(a_result(700_000), overall=None, interval=None, datasets=())

    assert conclude(an_outcome(empty), None).conclusion is Conclusion.INCOMPLETE


def test_the_json_has_the_whole_outcome() -> None:
    written = msgspec.json.decode(msgspec.json.encode(an_outcome()))

    assert set(written) == {
        "run", "system", "release", "datasets", "overall", "latency_ms", "retries", "context_tokens",
        "unscored_examples", "gate", "checkpoint",
    }  # fmt: skip
    assert written["run"]["job_id"] == "job-1"
    assert written["overall"]["score"] == 70.0
    practice = written["datasets"]["practice"]
    assert (practice["planned"], practice["scored"], practice["correct"], practice["unscored"]) == (120, 120, 84, 0)
    assert set(practice["categories"]) == {"single-session", "temporal"}
    assert set(written["latency_ms"]["add"]) == {"calls", "p50", "p95", "p99"}
