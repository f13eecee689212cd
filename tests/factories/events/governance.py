"""Decisions that are explained, and benchmarks that are offered and decided on."""

from tests.factories.events.places import AT, a_digest

from aml.contracts.decisions import DecisionExplained
from aml.contracts.events import Event
from aml.contracts.proposals import BenchmarkProposed, ProposalDecided

GOVERNANCE: tuple[Event, ...] = (
    DecisionExplained(
        at=AT,
        decision="key_revoked",
        about="key-1",
        number=1,
        by="operator-1",
        reason="replaced by its owner",
    ),
    BenchmarkProposed(
        at=AT,
        proposal_id="prop-1",
        title="Errands of a year",
        track="textual",
        license="CC-BY-4.0",
        key_id=None,
        profile=a_digest("profile"),
    ),
    ProposalDecided(
        at=AT,
        proposal_id="prop-1",
        number=1,
        decision="ask_for_more",
        reviewer="reviewer-1",
        reason="Say where the third source comes from.",
        package=a_digest("package"),
    ),
)
