"""What a LongMemEval result means for a build. Pure."""

from aml.toolkit.evaluation.exit_decision import Conclusion, Verdict

from .result import LongMemEvalResult, PairedResult


def conclude_longmemeval(outcome: LongMemEvalResult | PairedResult, fail_under: float | None) -> Verdict:
    """Incomplete wins over a threshold: a score over fewer questions than selected is none to hold against one.

    `fail_under` is 0 to 100; of a paired result the agent's own arm is held against it.
    """
    arms = [outcome.agent, outcome.oracle] if isinstance(outcome, PairedResult) else [outcome]
    for each in arms:
        if not each.complete:
            left = each.counts.inconclusive + each.counts.agent_failure
            what = f"{left} of {each.counts.selected} questions of the {each.arm} arm have no verdict"
            return Verdict(Conclusion.INCOMPLETE, what)
    accuracy = arms[0].overall_accuracy
    if fail_under is not None and (accuracy is None or accuracy < fail_under):
        return Verdict(Conclusion.BELOW_THRESHOLD, f"{accuracy or 0:.2f} % is below {fail_under:g}")
    return Verdict(Conclusion.PASSED, f"every one of {arms[0].counts.selected} questions has a verdict")
