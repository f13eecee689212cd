"""What a result means for a build. Pure.

Incomplete wins over a threshold: a score over fewer questions than planned is no score to hold against one.
"""

from collections.abc import Iterable

from msgspec import Struct

from aml.toolkit.baselines import Comparison, Incomparable
from aml.toolkit.evaluation.exit_decision import Conclusion, Verdict
from aml.toolkit.results import SuiteResult

from .kept_baselines import Held

_ORDER = (Conclusion.PASSED, Conclusion.BELOW_THRESHOLD, Conclusion.INCOMPLETE)


class Gate(Struct, frozen=True, kw_only=True):
    """Nothing is held against anything unless it is asked for."""

    fail_under: float | None = None
    """Overall, 0 to 100."""
    max_drop: float | None = None
    """Points of Overall below the baseline."""


def conclude_suite(held: Held, gate: Gate) -> Verdict:
    result = held.result
    if not result.complete:
        return Verdict(Conclusion.INCOMPLETE, _incomplete(result))
    if gate.fail_under is not None and result.overall < gate.fail_under:
        return Verdict(Conclusion.BELOW_THRESHOLD, f"Overall {result.overall:.2f} is below {gate.fail_under:g}")
    if gate.max_drop is not None:
        return _against_baseline(held, gate.max_drop)
    return _passed(result)


def worst_of(verdicts: Iterable[Verdict]) -> Verdict | None:
    """The first of the worst; None of none."""
    found = list(verdicts)
    return max(found, key=lambda verdict: _ORDER.index(verdict.conclusion)) if found else None


def _against_baseline(held: Held, max_drop: float) -> Verdict:
    match held.comparison:
        case None:
            said = "there is no baseline of this configuration yet, so that no drop can be told; save one"
            return Verdict(Conclusion.INCOMPLETE, said)
        case Incomparable() as other:
            said = f"the baseline {other.label} measured something else ({'; '.join(other.differences)})"
            return Verdict(Conclusion.INCOMPLETE, said)
        case Comparison() as found if found.overall_points < -max_drop:
            said = (
                f"Overall fell by {-found.overall_points:.2f} since the baseline {found.label}, more than {max_drop:g}"
            )
            return Verdict(Conclusion.BELOW_THRESHOLD, said)
        case Comparison():
            return _passed(held.result)


def _passed(result: SuiteResult) -> Verdict:
    return Verdict(Conclusion.PASSED, f"Overall {result.overall:.2f}, every one of {result.planned:,} questions scored")


def _incomplete(result: SuiteResult) -> str:
    if not result.planned:
        return "no question was asked"
    reasons: dict[str, int] = {}
    for question in result.questions:
        if question.unscored is not None:
            named = f"{question.unscored.stage}: {question.unscored.reason}"
            reasons[named] = reasons.get(named, 0) + 1
    listed = ", ".join(f"{reason} {count:,}" for reason, count in sorted(reasons.items()))
    return f"{result.unscored:,} of {result.planned:,} questions are unscored ({listed})"
