"""A report on disk is a whole one, and a result writes its own."""

from pathlib import Path

import pytest
from tests.factories.suite_results import a_question, a_result

from aml.toolkit.baselines.baseline import baseline_of
from aml.toolkit.report import ReportUnwritable, render_report, write_report


def test_the_file_holds_what_was_rendered(tmp_path: Path) -> None:
    result = a_result([a_question()])

    written = write_report([result], [], tmp_path / "report.html", "zh")

    assert written.read_bytes() == render_report([result], language="zh")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_folder_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ReportUnwritable, match=r"could not be written: No such file"):
        write_report([a_result([a_question()])], [], tmp_path / "no" / "report.html")


def test_a_target_that_is_a_folder_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "report.html").mkdir()

    with pytest.raises(ReportUnwritable):
        write_report([a_result([a_question()])], [], tmp_path / "report.html")

    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_result_exports_itself_with_runs_and_baselines_over_it(tmp_path: Path) -> None:
    result, other = a_result([a_question()]), a_result([a_question(score=50)])
    baseline = baseline_of(other, "last week")

    written = result.export_html(tmp_path / "report.html", overlay=[baseline, other], language="zh")

    assert written.read_bytes() == render_report([result, other], [baseline], language="zh")
