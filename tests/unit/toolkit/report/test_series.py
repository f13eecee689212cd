"""Every run and baseline has a place and a name of its own."""

from tests.factories.suite_results import a_question, a_result

from aml.toolkit.baselines.baseline import baseline_of
from aml.toolkit.report.series import series_of


def test_names_are_told_apart_even_where_runs_are_called_the_same() -> None:
    result = a_result([a_question()])
    baseline = baseline_of(result, "an agent")

    shown = series_of([result, result], [baseline])

    assert [(each.place, each.kind, each.name) for each in shown] == [
        (0, "run", "an agent"),
        (1, "run", "an agent (2)"),
        (2, "baseline", "an agent (3)"),
    ]


def test_a_name_is_one_short_line() -> None:
    result = a_result([a_question()])
    baseline = baseline_of(result, "x\n" * 500)

    name = series_of([result], [baseline])[1].name

    assert len(name) <= 60
    assert "\n" not in name


def test_a_baseline_without_a_name_still_has_one() -> None:
    result = a_result([a_question()])
    assert series_of([result], [baseline_of(result, " ")])[1].name == "?"
