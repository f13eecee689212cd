"""A claimed result against the gate, which runs again."""

from collections.abc import Collection, Sequence

from aml.contracts.events import Event
from aml.contracts.seals import GateCheck, GatePassed, GateRefused
from aml.rules.gate import GateBundle, GateDecision, evaluate_gate
from aml.rules.gate_duplicates import DUPLICATES


def differing_parts(again: GateDecision, claim: GatePassed | GateRefused, *, whole_log: bool = True) -> tuple[str, ...]:
    """`decision`, and which of subject, seal, result, checks and sketch the claim states otherwise than the gate does.

    Without the whole log, the check that looks at other people's results is not compared: they are not at hand.
    """
    apart = () if whole_log else (DUPLICATES,)
    parts = [] if again.passed == isinstance(claim, GatePassed) else ["decision"]
    parts += [name for name in ("subject", "seal", "result") if getattr(again, name) != getattr(claim, name)]
    if _checks(again.checks, apart) != _checks(claim.checks, apart):
        parts.append("checks")
    if again.passed and isinstance(claim, GatePassed) and again.sketch != claim.sketch:
        parts.append("sketch")
    return tuple(parts)


def _checks(checks: Sequence[GateCheck], apart: Collection[str]) -> tuple[GateCheck, ...]:
    return tuple(check for check in checks if check.name not in apart)


def verify_claim(bundle: GateBundle, claim: Event) -> tuple[str, ...]:
    """Runs the gate again and compares it with what was claimed: `differing_parts`, in words. Empty when equal."""
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
