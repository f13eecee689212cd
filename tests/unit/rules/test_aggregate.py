from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.factories.events import an_event
from tests.factories.finished_jobs import a_job

from aml.contracts.events import Event
from aml.contracts.jobs import JobCancelled, JobFailed, JobPlanned, JobRequested
from aml.contracts.seals import JobResult, ReasonCount, Tally
from aml.contracts.units import ChunkAdded, SearchReturned
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.rules.aggregate import aggregate
from aml.rules.intervals import weighted, wilson

MILLION = 1_000_000


def result_of(events: list[Any], weights: dict[str, int] | None = None) -> JobResult:
    requested = next(each for each in events if isinstance(each, JobRequested))
    planned = next((each for each in events if isinstance(each, JobPlanned)), None)
    return aggregate(requested, planned, events, weights or {})


def unscored(scored: Event, reason: str) -> UnitUnscored:
    assert isinstance(scored, AnswerScored)
    return an_event(  # type: ignore[no-any-return]
        UnitUnscored, job_id=scored.job_id, unit=scored.unit, sample=scored.sample, index=scored.index,
        category=scored.category, reason=reason,
    )  # fmt: skip


def assert_adds_up(tally: Tally) -> None:
    assert tally.planned == tally.scored + tally.unscored
    assert tally.scored == tally.correct + tally.incorrect + tally.graded
    assert (tally.score is None) == (tally.scored == 0)


def test_a_complete_job() -> None:
    result = result_of(a_job(questions=4, wrong=1))
    dataset = result.datasets[0]
    assert (dataset.overall.planned, dataset.overall.correct, dataset.overall.incorrect) == (4, 3, 1)
    assert [each.tally.correct for each in dataset.categories] == [1, 2]
    assert result.overall == 750_000
    assert result.interval == wilson(3 * MILLION, 4)
    assert dataset.evidence_recall == 500_000
    assert (result.add.calls, result.search.calls, result.retries) == (2, 4, 4)
    assert result.context_tokens == 4 * 320


def test_an_unscored_question_is_no_zero_and_leaves_no_overall() -> None:
    events = a_job(questions=4, wrong=0)
    events[-1] = unscored(events[-1], "transport")
    result = result_of(events)
    assert result.overall is None
    assert result.interval is None
    assert result.datasets[0].overall.score == MILLION
    assert result.datasets[0].unscored == (ReasonCount(reason="transport", questions=1),)


def test_questions_that_a_failed_job_never_reached_have_its_reason() -> None:
    events = [*a_job(questions=6)[:-8], an_event(JobFailed, job_id="job-1", reason="contract")]
    dataset = result_of(events).datasets[0]
    assert (dataset.all_questions.scored, dataset.all_questions.unscored) == (4, 2)
    assert dataset.unscored == (ReasonCount(reason="contract", questions=2),)


def test_a_cancelled_job_and_reasons_of_its_own_are_told_apart() -> None:
    events = a_job(questions=6)
    events = [*events[:-5], unscored(events[-5], "judge"), an_event(JobCancelled, job_id="job-1")]
    dataset = result_of(events).datasets[0]
    assert dataset.unscored == (
        ReasonCount(reason="cancelled", questions=1),
        ReasonCount(reason="judge", questions=1),
    )


def test_a_job_without_a_plan_counts_nothing() -> None:
    result = result_of([a_job()[0], an_event(JobFailed, job_id="job-1")])
    assert result.overall is None
    assert result.datasets[0].all_questions.planned == 0


def test_the_first_fact_about_a_unit_counts() -> None:
    events = a_job(questions=2, wrong=0)
    again = replace(events[-1], outcome="incorrect", score=0)
    assert result_of([*events, again, unscored(events[-1], "judge")]) == result_of(events)


def test_a_fact_outside_the_plan_is_not_counted() -> None:
    events = a_job(questions=2, wrong=0)
    foreign = replace(events[-1], unit="other", category="unheard-of")
    assert result_of([*events, foreign]).datasets[0].all_questions.scored == 2


def test_a_category_reported_apart_is_not_in_overall() -> None:
    events = [
        replace(each, in_overall=False, outcome="incorrect", score=0)
        if isinstance(each, AnswerScored) and each.category == "temporal"
        else each
        for each in a_job(questions=4, wrong=0)
    ]
    dataset = result_of(events).datasets[0]
    assert dataset.overall.planned == 2
    assert dataset.all_questions.planned == 4
    assert [each.in_overall for each in dataset.categories] == [True, False]
    assert result_of(events).overall == MILLION


def test_graded_scores_count_as_what_they_are() -> None:
    events = [
        replace(each, outcome="graded", score=250_000) if isinstance(each, AnswerScored) else each
        for each in a_job(questions=2)
    ]
    tally = result_of(events).datasets[0].overall
    assert (tally.graded, tally.correct, tally.score) == (2, 0, 250_000)
    assert tally.interval == wilson(500_000, 2)


def test_overall_is_the_mean_with_the_releases_weights() -> None:
    events = a_job(questions=4, wrong=0)
    planned = next(each for each in events if isinstance(each, JobPlanned))
    second = replace(planned.datasets[0], name="second")
    events[1] = replace(planned, datasets=(planned.datasets[0], second))
    others = [
        replace(each, unit=f"b{each.unit}"[:20], dataset="second", outcome="incorrect", score=0)
        for each in events
        if isinstance(each, AnswerScored)
    ]
    result = result_of([*events, *others], {"practice": 3, "second": 1})
    assert result.overall == 750_000
    parts = [(3, MILLION, wilson(4 * MILLION, 4)), (1, 0, wilson(0, 4))]
    assert result.interval == weighted(parts)


def test_percentiles_are_by_nearest_rank() -> None:
    events = [an_event(ChunkAdded, unit=str(n), attempts=1, latency=n) for n in range(1, 101)]
    result = result_of([*a_job(chunks=0), *reversed(events)])
    assert (result.add.p50, result.add.p95, result.add.p99) == (50, 95, 99)


def test_a_baseline_arm_has_no_latencies() -> None:
    events = [replace(each, attempts=0) if isinstance(each, SearchReturned) else each for each in a_job(chunks=0)]
    result = result_of(events)
    assert result.search.calls == 0
    assert result.search.p50 is None
    assert result.retries == 0


@given(st.randoms(use_true_random=False), st.integers(0, 12), st.integers(0, 60))
def test_denominators_hold_whatever_arrived(random: Any, questions: int, kept: int) -> None:
    events = a_job(questions=questions, wrong=questions // 2)
    head, facts = events[:3], events[3:]
    random.shuffle(facts)
    result = result_of([*head, *facts[:kept], *facts[:3]])
    dataset = result.datasets[0]
    for tally in (dataset.overall, dataset.all_questions, *(each.tally for each in dataset.categories)):
        assert_adds_up(tally)
    assert dataset.all_questions.planned == questions
    assert sum(each.questions for each in dataset.unscored) == dataset.all_questions.unscored


@given(st.randoms(use_true_random=False))
def test_the_order_of_facts_does_not_matter(random: Any) -> None:
    events = a_job(questions=5, wrong=2)
    facts = events[2:]
    random.shuffle(facts)
    assert result_of([*events[:2], *facts]) == result_of(events)
