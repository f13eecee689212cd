"""What a result means for a build."""

import pytest
from tests.factories.suite_results import a_provenance, a_question, a_result

from aml.toolkit.baselines import compare
from aml.toolkit.baselines.baseline import baseline_of
from aml.toolkit.evaluation.exit_decision import Conclusion, Verdict
from aml.toolkit.outputs import Gate, Held, conclude_suite, worst_of
from aml.toolkit.results import SuiteResult


def scoring(score: float | None, **provenance: object) -> SuiteResult:
    return a_result([a_question("basic_retention", score)], provenance=a_provenance(**provenance))


def held(result: SuiteResult, before: SuiteResult | None = None) -> Held:
    comparison = None if before is None else compare(result, baseline_of(before, "main"))
    return Held(result=result, wanted=True, comparison=comparison)


@pytest.mark.parametrize(
    ("found", "gate", "conclusion", "sentence"),
    [
        (held(scoring(10.0)), Gate(), Conclusion.PASSED, "Overall 10.00, every one of 1 questions scored"),
        (held(scoring(70.0)), Gate(fail_under=70.0), Conclusion.PASSED, "Overall 70.00"),
        (held(scoring(69.9)), Gate(fail_under=70.0), Conclusion.BELOW_THRESHOLD, "Overall 69.90 is below 70"),
        (held(scoring(None)), Gate(fail_under=0.0), Conclusion.INCOMPLETE, "1 of 1 questions are unscored"),
        (held(a_result([], {"basic_retention": 1.0})), Gate(), Conclusion.INCOMPLETE, "no question was asked"),
        (held(scoring(95.0), scoring(100.0)), Gate(max_drop=5.0), Conclusion.PASSED, "Overall 95.00"),
        (held(scoring(94.9), scoring(100.0)), Gate(max_drop=5.0), Conclusion.BELOW_THRESHOLD, "fell by 5.10 since"),
        (held(scoring(94.9), scoring(100.0)), Gate(), Conclusion.PASSED, "Overall 94.90"),
        (held(scoring(100.0)), Gate(max_drop=5.0), Conclusion.INCOMPLETE, "there is no baseline"),
        (held(scoring(100.0), scoring(100.0, seed=7)), Gate(max_drop=5.0), Conclusion.INCOMPLETE, "seed: 0 here, 7"),
        (held(scoring(50.0), scoring(100.0)), Gate(fail_under=60.0, max_drop=5.0), Conclusion.BELOW_THRESHOLD, "below 60"),
    ],
)  # fmt: skip
def test_a_gate(found: Held, gate: Gate, conclusion: Conclusion, sentence: str) -> None:
    verdict = conclude_suite(found, gate)
    assert verdict.conclusion is conclusion
    assert sentence in verdict.sentence


def test_the_worst_of_several_counts_and_incomplete_is_worst() -> None:
    passed, below, incomplete = (Verdict(each, "") for each in Conclusion)
    assert worst_of([passed, incomplete, below]) is incomplete
    assert worst_of([passed, below]) is below
    assert worst_of([]) is None
