"""A judge that was not measured, or not well enough, publishes nothing."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.factories.events import a_digest, an_event
from tests.factories.finished_jobs import a_job, a_release, a_release_locked, sealed

from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.release import Calibration, ModelSettings
from aml.contracts.seals import GateCheck
from aml.rules.gate import GateBundle, evaluate_gate

DEMAND = Calibration(answers="answers-1", sha256=a_digest("answers"), threshold=900_000)
MEASURED = an_event(JudgeCalibrated)


def check_of(
    *facts: JudgeCalibrated, demand: Calibration | None = DEMAND, judge: ModelSettings | None = None, **request: Any
) -> GateCheck:
    release = a_release(calibration=demand, **({} if judge is None else {"judge": judge}))
    bundle = GateBundle(
        entries=tuple(sealed(a_job(**request), start=10)),
        release=release,
        locks=((0, a_release_locked()),),
        earlier=(),
        calibrations=tuple((5 + place, fact) for place, fact in enumerate(facts)),
    )
    decision = evaluate_gate(bundle)
    (check,) = [each for each in decision.checks if each.name == "judge_calibrated"]
    assert decision.passed == all(each.passed for each in decision.checks)
    return check


def test_a_judge_at_the_threshold_passes_with_its_numbers_and_its_entry() -> None:
    check = check_of(MEASURED)
    assert (check.passed, check.code, check.entries) == (True, "ok", (5,))
    assert check.expected == "agreement of 900000 millionths or more over 60 or more answers of answers-1"
    assert check.found == "agreement 900000, kappa 800000 over 100 answers of answers-1, judge rules"


@pytest.mark.parametrize(
    ("change", "code", "entries"),
    [
        ({"agreed": 89, "agreement": 890_000}, "judge_below_threshold", (5,)),
        ({"agreed": 50}, "judge_below_threshold", (5,)),
        ({"labelled": 59, "agreed": 59}, "calibration_small", (5,)),
        ({"answers_sha256": a_digest("other")}, "other_calibration", (5,)),
        ({"answers": "answers-2"}, "other_calibration", (5,)),
        ({"judge": "openai:m"}, "other_calibration", (5,)),
        ({"release_digest": a_digest("other")}, "judge_not_calibrated", (10,)),
        ({"pipeline_digest": a_digest("other")}, "judge_not_calibrated", (10,)),
    ],
)
def test_a_measurement_that_does_not_do_is_refused_with_its_code(
    change: dict[str, Any], code: str, entries: tuple[int, ...]
) -> None:
    check = check_of(replace(MEASURED, **change))
    assert (check.passed, check.code, check.entries) == (False, code, entries)


def test_without_a_measurement_nothing_is_published() -> None:
    assert check_of().code == "judge_not_calibrated"


def test_the_first_measurement_of_a_release_and_code_stands() -> None:
    better = replace(MEASURED, agreed=100)
    assert check_of(replace(MEASURED, agreed=10), better).code == "judge_below_threshold"


def test_the_model_is_part_of_the_judge() -> None:
    judge = ModelSettings(kind="openai", model="m-2")
    assert check_of(replace(MEASURED, judge="openai:m-1"), judge=judge).code == "other_calibration"
    assert check_of(replace(MEASURED, judge="openai:m-2"), judge=judge).code == "ok"


def test_a_release_that_asks_for_nothing_says_so() -> None:
    check = check_of(demand=None)
    assert (check.passed, check.code) == (True, "no_threshold")


@pytest.mark.parametrize("mode", ["smoke", "run"])
def test_what_cannot_be_published_needs_no_calibration(mode: str) -> None:
    assert check_of(mode=mode).code == "ok"
