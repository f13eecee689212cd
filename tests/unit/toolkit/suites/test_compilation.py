from collections import Counter
from pathlib import Path

import msgspec
import pytest
from tests.factories.scenario_files import a_scenario_file

from aml.contracts.benchmark import GoldFact
from aml.toolkit.suites.categories import CATEGORIES
from aml.toolkit.suites.compilation import Case, compile_cases, pick_scenarios
from aml.toolkit.suites.errors import ScenarioInvalid, ScenariosMissing
from aml.toolkit.suites.presets import PRESETS

QUICK, STANDARD, FULL = PRESETS["quick"], PRESETS["standard"], PRESETS["full"]


def cases(limit: int | None = 1, seed: int = 42) -> list[Case]:
    return list(compile_cases(FULL, pick_scenarios(FULL, limit=limit, seed=seed), seed=seed, language="en"))


def test_the_same_seed_gives_the_same_samples_and_another_one_others() -> None:
    one, again, other = ([msgspec.json.encode(case.sample) for case in cases(seed=seed)] for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_labels_become_the_ids_of_the_turns_that_were_labelled(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(a_scenario_file(), "utf-8")
    picks = pick_scenarios(QUICK, folder=tmp_path)
    (case,) = compile_cases(QUICK, picks, seed=42, language="en")
    sample = case.sample
    (question,), (gold,) = sample.questions, sample.gold
    turn = next(turn for session in sample.sessions for turn in session.turns if turn.turn_id in gold.evidence)
    assert turn.content.startswith("The tide turns")
    assert (question.question_type, question.category) == ("standard", "noise_resilience")
    assert question.question_id == gold.question_id == "en-noise_resilience-mine-q1"
    assert gold.answers == ("At 4:13.",)
    assert gold.facts == (GoldFact(any=("4:13",), importance=70),)
    assert gold.forbidden == (("3:14",),)
    assert not gold.abstention


def test_evidence_turns_hold_the_facts_that_are_not_inferred() -> None:
    for case in cases(limit=None):
        turns = {turn.turn_id for session in case.sample.sessions for turn in session.turns}
        for gold in case.sample.gold:
            assert set(gold.evidence) <= turns
            assert bool(gold.evidence) != gold.abstention


def test_reach_back_is_asked_once_a_depth() -> None:
    depths = Counter(pick.depth for pick in pick_scenarios(FULL) if pick.category == "reach_back")
    assert depths == dict.fromkeys((5, 10, 25, 50, 100), 10)
    assert all(pick.depth is None for pick in pick_scenarios(FULL) if pick.category != "reach_back")


def test_turns_are_in_order_of_time_and_questions_after_them() -> None:
    for case in cases():
        times = [turn.timestamp or 0 for session in case.sample.sessions for turn in session.turns]
        assert times == sorted(times)
        assert all((question.asked_at or 0) > times[-1] for question in case.sample.questions)


def test_ids_are_unique_over_the_suite() -> None:
    full = cases(limit=None)
    questions = [key.question_id for case in full for key in case.keys]
    assert len(set(questions)) == len(questions)
    assert len({case.sample.sample_id for case in full}) == len(full)


@pytest.mark.parametrize("limit", [1, 2, 3, 6])
def test_a_limit_takes_the_difficulties_in_turn_and_the_hard_ones_first(limit: int) -> None:
    for category in CATEGORIES:
        levels = Counter(
            pick.scenario.difficulty
            for pick in pick_scenarios(FULL, limit=limit)
            if pick.category == category and pick.depth in {None, 5}
        )
        assert sum(levels.values()) == limit
        assert levels["hard"] >= levels["medium"] >= levels["easy"] >= limit // 3


def test_a_limit_draws_others_under_another_seed() -> None:
    chosen = {tuple(pick.scenario.id for pick in pick_scenarios(QUICK, limit=2, seed=seed)) for seed in range(6)}
    assert len(chosen) > 1


def test_overflow_and_diagnostic_take_fewer() -> None:
    assert Counter(pick.category for pick in pick_scenarios(PRESETS["overflow"]))["preference"] == 3
    assert Counter(pick.category for pick in pick_scenarios(PRESETS["diagnostic"]))["preference"] == 6


def test_every_category_of_a_suite_has_questions() -> None:
    assert {key.category for case in cases() for key in case.keys} == set(FULL.weights)


def test_a_folder_with_a_problem_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(a_scenario_file(evidence="that"), "utf-8")
    with pytest.raises(ScenarioInvalid, match=r"mine\.toml, mine, questions\[0\]\.evidence"):
        pick_scenarios(QUICK, folder=tmp_path)


def test_a_folder_without_a_category_of_the_suite_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(a_scenario_file("conflict_resolution"), "utf-8")
    with pytest.raises(ScenariosMissing, match="no scenarios in 'en' of a category of the suite 'quick'"):
        pick_scenarios(QUICK, folder=tmp_path)
