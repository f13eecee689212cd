import pytest
from nats.js.api import ConsumerConfig

from aml.contracts.units import QuestionOpened, SamplePlanned
from aml.ledger.reconcile import _filters, _may_concern
from aml.rules.identity import EVERYTHING, job_subject


@pytest.mark.parametrize(
    ("subject", "concerns"),
    [
        (job_subject("a", QuestionOpened, "*"), True),
        (job_subject("*", SamplePlanned, "*"), True),
        (job_subject("ab", QuestionOpened, "*"), False),
        ("aml.v1.access.*.access_requested", False),
    ],
)
def test_which_consumers_may_hold_a_jobs_work(subject: str, concerns: bool) -> None:
    assert _may_concern(subject, "a") is concerns


def test_a_consumers_filters_in_each_form() -> None:
    assert _filters(ConsumerConfig(filter_subjects=["a", "b"])) == ("a", "b")
    assert _filters(ConsumerConfig(filter_subject="a")) == ("a",)
    assert _filters(ConsumerConfig()) == (EVERYTHING,)
