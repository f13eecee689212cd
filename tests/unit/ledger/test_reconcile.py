import pytest

from aml.contracts.jobs import JobRequested
from aml.contracts.units import QuestionOpened, UnitRequeued
from aml.ledger.reconcile import is_lane_of
from aml.rules.identity import EVERYTHING, job_subject


@pytest.mark.parametrize(
    ("filters", "holds_its_work"),
    [
        ([job_subject("a", QuestionOpened, "*"), job_subject("a", UnitRequeued, "*")], True),
        ([job_subject("*", QuestionOpened, "*"), job_subject("*", UnitRequeued, "*")], True),
        ([job_subject("b", QuestionOpened, "*"), job_subject("b", UnitRequeued, "*")], False),
        ([job_subject("*", JobRequested)], False),
        ([EVERYTHING], False),
        ([], False),
    ],
)
def test_only_a_lane_that_serves_the_job_holds_its_work(filters: list[str], holds_its_work: bool) -> None:
    assert is_lane_of("a", filters) is holds_its_work
