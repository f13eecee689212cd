from typing import Any

from msgspec.structs import replace
from tests.factories.events import AT, an_event
from tests.factories.finished_jobs import a_job

from aml.contracts.events import Event
from aml.contracts.units import AnswerGenerated, QuestionOpened, SampleIngested, SamplePlanned, UnitParked, UnitRequeued
from aml.contracts.verdicts import AnswerScored
from aml.ledger.requeue_missing import decide_stall_requeues
from aml.rules.identity import subject_of

NOW = AT + 100_000


def one(events: list[Event], kind: type) -> Any:
    return next(each for each in events if isinstance(each, kind))


def test_a_complete_job_lacks_nothing() -> None:
    assert decide_stall_requeues(a_job(), NOW) == ()


def test_each_stage_gets_its_own_trigger_again() -> None:
    events = a_job(questions=3)
    opened, returned, generated = events[-12], events[-7], events[-2]
    # given: the first question was opened only, the second searched, the third answered; none scored
    found = decide_stall_requeues([*events[:-11], *events[-8:-6], *events[-4:-1]], NOW)
    assert [(each.stage, each.trigger) for each in found] == [
        ("retrieval", subject_of(opened)),
        ("answer", subject_of(returned)),
        ("scoring", subject_of(generated)),
    ]
    assert {each.not_before for each in found} == {NOW}


def test_a_sample_that_was_never_ingested_goes_to_ingest() -> None:
    events = a_job()[:4]
    found = decide_stall_requeues(events, NOW)
    assert [(each.stage, each.trigger) for each in found] == [("ingest", subject_of(one(events, SamplePlanned)))]


def test_a_sample_with_unopened_questions_goes_to_ingest() -> None:
    events = a_job(questions=2)[:-4]
    assert isinstance(one(events, SampleIngested), SampleIngested)
    assert [each.stage for each in decide_stall_requeues(events, NOW)] == ["ingest"]


def test_a_parked_unit_is_left_to_the_operator() -> None:
    events = a_job(questions=2)[:-1]
    unit = one(events[-1:], AnswerGenerated).unit
    parked = an_event(UnitParked, job_id="job-1", unit=f"{unit}-scoring-2", stage="scoring")
    assert decide_stall_requeues([*events, parked], NOW) == ()
    elsewhere = replace(parked, unit=f"{unit}-answer-2", stage="answer")
    assert len(decide_stall_requeues([*events, elsewhere], NOW)) == 1


def test_nothing_while_a_requeue_is_not_due() -> None:
    events = a_job(questions=2)[:-1]
    waiting = an_event(UnitRequeued, job_id="job-1", not_before=NOW + 1)
    assert decide_stall_requeues([*events, waiting], NOW) == ()


def test_it_uses_up_none_of_the_units_own_requeues_and_no_name_twice() -> None:
    events = a_job(questions=1)[:-3]
    unit = one(events, QuestionOpened).unit
    own = an_event(UnitRequeued, job_id="job-1", unit=f"{unit}-retrieval-2", requeue=2, not_before=0)
    (first,) = decide_stall_requeues([*events, own], NOW)
    (second,) = decide_stall_requeues([*events, own, first], NOW)
    assert (first.unit, first.requeue) == (f"{unit}-retrieval-stall-1", 2)
    assert (second.unit, second.requeue) == (f"{unit}-retrieval-stall-2", 2)


def test_a_late_search_does_not_take_an_answered_question_back() -> None:
    events = a_job(questions=1)
    scored = one(events, AnswerScored)
    without_end = [each for each in events if each is not scored]
    (found,) = decide_stall_requeues([*without_end[:-2], without_end[-1], without_end[-2]], NOW)
    assert found.stage == "scoring"
