"""A claimed result against the gate, which runs again."""

from aml.contracts.events import Event
from aml.contracts.seals import GatePassed, GateRefused
from aml.rules.gate import GateBundle, GateDecision, evaluate_gate

PARTS = ("subject", "seal", "result", "checks")


def differing_parts(again: GateDecision, claim: GatePassed | GateRefused) -> tuple[str, ...]:
    """`decision`, and which of `PARTS` the claim states otherwise than the gate does now."""
    parts = [] if again.passed == isinstance(claim, GatePassed) else ["decision"]
    return (*parts, *(name for name in PARTS if getattr(again, name) != getattr(claim, name)))


def verify_claim(bundle: GateBundle, claim: Event) -> tuple[str, ...]:
    """Runs the gate again and compares it with what was claimed: decision, subject, seal, result, checks. Empty when equal."""
    if not isinstance(claim, GatePassed | GateRefused):
        return (f"a {type(claim).__name__} claims no result",)
    again = evaluate_gate(bundle)
    said = "passes" if again.passed else "refuses"
    return tuple(
        f"the gate {said} this job, and the claim says otherwise"
        if part == "decision"
        else f"the claimed {part} is not what the entries give"
        for part in differing_parts(again, claim)
    )
