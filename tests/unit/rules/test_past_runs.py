from msgspec.structs import replace
from tests.factories.events import AT, an_event

from aml.contracts.jobs import JobCancelled, JobFailed, JobRequested
from aml.contracts.seals import GateRefused, JobSealed, ReasonCount
from aml.contracts.units import ChunkAdded
from aml.rules.past_runs import past_runs
from aml.rules.quota import PastRun, costs_quota

MINE: JobRequested = an_event(JobRequested, job_id="mine")


def a_request(job_id: str = "old") -> JobRequested:
    return an_event(JobRequested, job_id=job_id)  # type: ignore[no-any-return]


def test_a_run_is_told_from_request_to_seal() -> None:
    history = [
        a_request(),
        an_event(ChunkAdded, job_id="old", at=AT + 5),
        an_event(ChunkAdded, job_id="old", at=AT + 9),
        an_event(JobSealed, job_id="old", at=AT + 20),
    ]
    assert past_runs(MINE, history) == (
        PastRun(mode="full", requested_at=AT, first_add_at=AT + 5, ended_at=AT + 20, state="completed"),
    )


def test_a_run_that_the_platform_broke_costs_nothing() -> None:
    failed = [a_request(), an_event(JobFailed, job_id="old", reason="internal")]
    assert [costs_quota(run) for run in past_runs(MINE, failed)] == [False]
    refusal = an_event(GateRefused, job_id="old")
    dataset = replace(refusal.result.datasets[0], unscored=(ReasonCount(reason="judge", questions=2),))
    broken = [a_request(), replace(refusal, result=replace(refusal.result, datasets=(dataset,)))]
    assert [run.unscored_by_platform for run in past_runs(MINE, broken)] == [2]


def test_a_run_cancelled_before_its_first_add_costs_nothing() -> None:
    assert [costs_quota(run) for run in past_runs(MINE, [a_request(), an_event(JobCancelled, job_id="old")])] == [False]


def test_a_run_that_somebody_else_cancelled_costs_nothing() -> None:
    def cancelled(by: str) -> list[bool]:
        history = [
            a_request(),
            an_event(ChunkAdded, job_id="old"),
            an_event(JobCancelled, job_id="old", cancelled_by=by),
        ]
        return [costs_quota(run) for run in past_runs(MINE, history)]

    assert cancelled(MINE.key_id) == [True]
    assert cancelled("key-operator") == [False]


def test_the_job_itself_and_facts_of_unknown_jobs_are_left_out() -> None:
    assert past_runs(MINE, [MINE, an_event(JobSealed, job_id="unknown")]) == ()
