"""Drawings: what is not known is not drawn, and every text is escaped."""

import re
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st
from tests.factories.suite_results import a_question, a_result

from aml.toolkit.metrics.pentagon import SUITE_AXES
from aml.toolkit.report.charts import Line, difference_bar, pentagon, reach_back_curve, repeat_strip, score_bar
from aml.toolkit.report.series import Series
from aml.toolkit.results import Axis, Depth, ReachBack

AXES = tuple(SUITE_AXES)
LABELS = {name: name for name in AXES}


def a_series(**scores: float) -> Series:
    axes = tuple(Axis(name=name, score=score, categories=()) for name, score in scores.items())
    return Series(place=0, kind="run", name="an agent", overall=50.0, complete=True, axes=axes)


def a_whole_series(score: float) -> Series:
    return a_series(**dict.fromkeys(AXES, score))


def paths(svg: str, kind: str) -> list[str]:
    return [each.attrib["d"] for each in ET.fromstring(svg).iter("path") if each.attrib.get("class") == kind]


def numbers(path: str) -> list[float]:
    return [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", path)]


def test_a_pentagon_has_five_corners_and_a_mark_on_each() -> None:
    svg = pentagon(AXES, [a_whole_series(80.0)], title="scores", labels=LABELS)

    assert svg is not None
    assert paths(svg, "outline")[0].count("L") == 4
    assert paths(svg, "outline")[0].endswith("Z")
    assert paths(svg, "mark")[0].count("M") == 5


def test_a_missing_axis_leaves_the_outline_open_and_is_never_the_centre() -> None:
    known = {name: 80.0 for name in AXES if name != "persistence"}

    svg = pentagon(AXES, [a_series(**known)], title="scores", labels=LABELS)

    assert svg is not None
    assert paths(svg, "outline")[0].count("M") == 3
    assert "Z" not in paths(svg, "outline")[0]
    assert paths(svg, "area") == []
    assert paths(svg, "mark")[0].count("M") == 4


def test_two_axes_are_a_table_and_no_drawing() -> None:
    assert pentagon(AXES[:2], [a_whole_series(80.0)], title="scores", labels=LABELS) is None


def test_labels_and_titles_are_escaped() -> None:
    svg = pentagon(AXES, [a_whole_series(1.0)], title='"><script>', labels=dict.fromkeys(AXES, "<b>"))

    assert svg is not None
    assert "<script" not in svg
    assert "<b>" not in svg
    assert ET.fromstring(svg).attrib["aria-label"] == '"><script>'


@given(st.floats(0, 100), st.floats(0, 100))
def test_a_higher_score_lies_further_out(one: float, two: float) -> None:
    low, high = sorted((one, two))
    drawn = [pentagon(AXES, [a_whole_series(score)], title="scores", labels=LABELS) or "" for score in (low, high)]

    tops = [numbers(paths(svg, "outline")[0])[1] for svg in drawn]

    assert tops[1] <= tops[0]
    assert all(0 <= top <= 362 for top in tops)


def a_line(*scores: tuple[int, float]) -> Line:
    curve = tuple(Depth(depth=depth, scored=4, score=score, recalled=score >= 80) for depth, score in scores)
    return Line(place=0, found=ReachBack(curve=curve, reliable_depth=None, drop=0.0, shape="stable"))


def test_the_curve_falls_where_the_score_falls() -> None:
    svg = reach_back_curve([a_line((5, 100.0), (10, 80.0), (25, 0.0))], title="depths", x_title="exchanges")

    assert svg is not None
    heights = numbers(paths(svg, "outline")[0])[1::2]
    assert heights == sorted(heights)
    assert len(set(heights)) == 3


def test_one_depth_is_no_curve() -> None:
    assert reach_back_curve([a_line((5, 100.0))], title="depths", x_title="exchanges") is None


def test_a_worse_category_is_drawn_to_the_left_and_stays_in_its_half() -> None:
    worse, better = ET.fromstring(difference_bar(-40.0, 20.0)), ET.fromstring(difference_bar(10.0, 20.0))

    assert (worse[0].attrib["class"], worse[0].attrib["x"], worse[0].attrib["width"]) == ("bar-down", "0", "60")
    assert (better[0].attrib["class"], better[0].attrib["x"], better[0].attrib["width"]) == ("bar-up", "60", "30")


def test_a_bar_without_an_interval_has_no_whiskers() -> None:
    assert "bar-whisker" not in score_bar(50.0, None, None)
    assert "bar-whisker" in score_bar(50.0, 40.0, 60.0)
    assert "bar-pass" in score_bar(50.0, None, None, 70.0)


def test_repeats_lie_inside_their_strip() -> None:
    svg = repeat_strip(0, [70.0, 76.0, 80.0], (70.0, 80.0))

    left, middle, right = (each for each in numbers(paths(svg, "range")[0]))
    assert (left, middle, right) == (8, 11, 252)


def test_an_axis_without_a_score_is_not_there_at_all() -> None:
    result = a_result([a_question("basic_retention"), a_question("multi_topic", None)])
    assert [axis.name for axis in result.axes] == ["recall"]
