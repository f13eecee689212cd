import re
import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from aml.publisher.charts import Spoke, capability_radar


def a_spoke(label: str = "temporal", score: int = 600_000) -> Spoke:
    return Spoke(label=label, score=score, low=max(0, score - 50_000), high=min(1_000_000, score + 50_000))


def test_two_capabilities_are_no_radar() -> None:
    assert capability_radar([a_spoke(), a_spoke()], title="t") is None


def test_each_capability_has_a_label_and_a_point() -> None:
    svg = capability_radar([a_spoke("fact"), a_spoke("time"), a_spoke("change"), a_spoke("none", 0)], title="t")

    assert svg is not None
    assert re.findall(r'class="spoke"[^>]*>(\w+)<', svg) == ["fact", "time", "change", "none"]
    assert svg.count("<circle") == 4


def test_a_better_score_lies_further_out() -> None:
    svg = capability_radar([a_spoke(score=900_000), a_spoke(score=300_000), a_spoke(score=300_000)], title="t")

    assert svg is not None
    points = [(float(x) - 250, float(y) - 170) for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', svg)]
    first, second, third = ((x * x + y * y) ** 0.5 for x, y in points)
    assert 2.9 < first / second < 3.1
    assert abs(second - third) < 0.2
    assert points[0][1] < 0


def test_it_says_what_it_shows_and_escapes_it() -> None:
    svg = capability_radar([a_spoke('<b>"')] * 3, title='a "title" <i>')

    assert svg is not None
    root = ET.fromstring(svg)
    assert root.get("aria-label") == 'a "title" <i>'
    assert root.get("role") == "img"
    assert "<b>" not in svg


@given(st.lists(st.integers(0, 1_000_000), min_size=3, max_size=8))
def test_any_scores_stay_within_the_outermost_ring(scores: list[int]) -> None:
    svg = capability_radar([a_spoke(score=each) for each in scores], title="t")

    assert svg is not None
    for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', svg):
        assert (float(x) - 250) ** 2 + (float(y) - 170) ** 2 <= 118.2**2
