"""A difference stands only between what measured the same thing; else it says what differs."""

from tests.factories.suite_results import a_provenance, a_question, a_result

from aml.toolkit.baselines.baseline import baseline_of
from aml.toolkit.report.differences import Difference, against_the_first, differences
from aml.toolkit.report.series import series_of
from aml.toolkit.results import SuiteResult


def between(now: SuiteResult, before: SuiteResult) -> Difference:
    baselines = [baseline_of(before, "before")]
    (found,) = differences([now], baselines, series_of([now], baselines))
    return found


def answered(*scores: float | None) -> SuiteResult:
    return a_result([a_question(score=score, number=number) for number, score in enumerate(scores)])


def test_points_and_pairs_of_comparable_runs() -> None:
    found = between(answered(100, 100, 0, 100), answered(100, 0, 100, 0))

    assert found.points == 25
    assert (found.pairs.pairs, found.pairs.only_first, found.pairs.only_second) == (4, 2, 1)
    assert found.pairs.p_value == 1_000_000
    assert found.worse == ("basic_retention-2",)
    assert found.better == ("basic_retention-1", "basic_retention-3")


def test_small_differences_are_drawn_small() -> None:
    assert between(answered(51), answered(50)).reach == 20
    assert between(answered(90), answered(50)).reach == 40


def test_another_release_is_no_difference_in_points() -> None:
    other = a_result([a_question()], provenance=a_provenance(release_digest="d" * 64))

    found = between(a_result([a_question()]), other)

    assert found.points is None
    assert found.categories == ()
    assert [each.field for each in found.differing] == ["release_digest"]


def test_an_incomplete_run_is_named() -> None:
    found = between(answered(100, None), answered(100, 100))

    assert found.points is None
    assert found.incomplete == ("an agent",)


def test_later_runs_are_held_against_the_first() -> None:
    results = [answered(0, 0), answered(100, 100), answered(0, 100)]

    found = against_the_first(results, series_of(results, ()))

    assert [(each.run.place, each.other.place, each.points) for each in found] == [(1, 0, 100), (2, 0, 50)]
    assert against_the_first(results[:1], series_of(results[:1], ())) == ()
