"""The shipped set: large and mixed enough to say something, and pinned by the releases."""

from collections import Counter

import pytest

from aml.judge.calibration.calibration_set import CalibrationSetError, load_set, pinned_set, shipped_sets
from aml.runtime.release_folder import bundled_releases, load_release

ANSWERS = load_set("answers-1")


def test_it_holds_enough_labelled_answers_of_each_language_and_label() -> None:
    assert shipped_sets() == ("answers-1",)
    languages = Counter(case.language for case in ANSWERS.cases)
    labels = Counter(case.correct for case in ANSWERS.cases)
    assert sum(languages.values()) >= 100
    assert min(languages.values()) >= 30
    assert min(labels.values()) >= 45


def test_the_traps_are_there() -> None:
    kinds = {case.kind for case in ANSWERS.cases}
    assert kinds >= {
        "number", "date", "negation", "abstention", "superset", "part", "paraphrase", "verdict_word", "injection", "role",
        "update", "preference", "multi_hop", "choice", "empty",
    }  # fmt: skip
    for kind in ("number", "date", "negation", "injection"):
        assert {case.language for case in ANSWERS.cases if case.kind == kind} == {"en", "zh"}


def test_case_ids_are_unique_and_no_case_is_there_twice() -> None:
    assert len({case.case_id for case in ANSWERS.cases}) == len(ANSWERS.cases)
    assert len({(case.question, case.references, case.answer) for case in ANSWERS.cases}) == len(ANSWERS.cases)


@pytest.mark.parametrize("release_id", ["practice", "openai"])
def test_each_bundled_release_pins_it_and_scores_all_of_it(release_id: str) -> None:
    release = load_release(bundled_releases()[release_id]).release
    demand = release.calibration
    assert demand is not None
    pinned = pinned_set(demand.answers, demand.sha256)
    assert len([case for case in pinned.cases if case.question_type in release.scoring]) == len(ANSWERS.cases)
    assert demand.minimum >= 60


def test_an_unknown_set_is_named_with_the_known_ones() -> None:
    with pytest.raises(CalibrationSetError, match=r"'nothing' is not one of answers-1"):
        load_set("nothing")


def test_another_content_under_the_name_is_refused() -> None:
    with pytest.raises(CalibrationSetError, match="the release pins 0000"):
        pinned_set("answers-1", "0" * 64)
