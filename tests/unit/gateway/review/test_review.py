"""Which decision may follow which, and who may not decide."""

from typing import Any, get_args

import pytest

from aml.contracts.seals import Decision
from aml.gateway.errors import OwnSystem, StateConflict
from aml.gateway.keys.keys import Caller
from aml.gateway.review.review import reviewable_seal

from tests.unit.gateway.jobs.test_progress import a_row

REVIEWER = Caller(key_id="reviewer", role="reviewer")
POSSIBLE = {
    None: {"approve", "decline", "ask_for_more", "disqualify"},
    "ask_for_more": {"approve", "decline", "ask_for_more", "disqualify"},
    "approve": {"withdraw", "disqualify"},
    "decline": {"approve", "disqualify"},
    "withdraw": {"approve", "disqualify"},
    "disqualify": set(),
}


@pytest.mark.parametrize("before", POSSIBLE)
@pytest.mark.parametrize("decision", get_args(Decision))
def test_each_decision_after_each(before: str | None, decision: Any) -> None:
    row = a_row(gate="passed", seal="d" * 64, decision=before)

    if decision in POSSIBLE[before]:
        assert reviewable_seal(row, REVIEWER, decision) == "d" * 64
    else:
        with pytest.raises(StateConflict, match="comes"):
            reviewable_seal(row, REVIEWER, decision)


@pytest.mark.parametrize("gate", [None, "refused"])
def test_what_did_not_pass_the_gate_cannot_be_reviewed(gate: str | None) -> None:
    with pytest.raises(StateConflict) as refused:
        reviewable_seal(a_row(gate=gate, seal="d" * 64), REVIEWER, "approve")

    assert refused.value.reason == "gate_not_passed"


def test_nobody_reviews_their_own_system() -> None:
    with pytest.raises(OwnSystem):
        reviewable_seal(a_row(gate="passed", seal="d" * 64, key_id="reviewer"), REVIEWER, "approve")
