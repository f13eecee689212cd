"""Which decision may follow which."""

from typing import Any, get_args

import pytest
from tests.factories.gateway_rows import a_row

from aml.contracts.seals import Decision
from aml.gateway.errors import StateConflict
from aml.gateway.review.publication import possible_decisions, reviewable_seal

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

    assert set(possible_decisions(row)) == POSSIBLE[before]
    if decision in POSSIBLE[before]:
        assert reviewable_seal(row, decision) == "d" * 64
    else:
        with pytest.raises(StateConflict, match="comes"):
            reviewable_seal(row, decision)


@pytest.mark.parametrize("gate", [None, "refused"])
def test_what_did_not_pass_the_gate_cannot_be_reviewed(gate: str | None) -> None:
    row = a_row(gate=gate, seal="d" * 64)

    assert possible_decisions(row) == ()
    with pytest.raises(StateConflict) as refused:
        reviewable_seal(row, "approve")

    assert refused.value.reason == "gate_not_passed"
