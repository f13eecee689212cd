import re
import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from aml.publisher.charts import Axis, Mark, Reference, score_scatter


def a_mark(label: str = "Recall", *, score: int = 700_000, cost: int = 50_000, kind: str = "open_source") -> Mark:
    return Mark(
        label=label, kind=kind, score=score, low=max(0, score - 30_000), high=min(10**6, score + 30_000), cost=cost
    )


def draw(*marks: Mark, references: tuple[Reference, ...] = ()) -> str | None:
    return score_scatter(marks, references, title="Title", axis=Axis(title="x", tick=str), y_title="y")


def test_one_system_is_no_scatter() -> None:
    assert draw(a_mark()) is None
    assert draw() is None


def test_every_system_has_a_point_and_divisions_differ_in_shape() -> None:
    svg = draw(a_mark("a"), a_mark("b", cost=9_000), a_mark("c", kind="commercial", cost=900_000))

    assert svg is not None
    assert svg.count('<circle class="point open_source"') == 2
    assert svg.count('<path class="point commercial"') == 1


def test_a_faster_and_better_system_lies_up_and_to_the_left() -> None:
    svg = draw(a_mark("good", score=800_000, cost=9_000), a_mark("bad", score=500_000, cost=900_000))

    assert svg is not None
    good, bad = ([float(n) for n in pair] for pair in re.findall(r'<circle [^>]*cx="([\d.]+)" cy="([\d.]+)"', svg))
    assert good[0] < bad[0]
    assert good[1] < bad[1]


def test_a_distant_baseline_does_not_press_the_systems_together() -> None:
    marks = (a_mark("a"), a_mark("b", cost=9_000))

    near = draw(*marks, references=(Reference(label="near", score=760_000),))
    far = draw(*marks, references=(Reference(label="far", score=50_000),))

    assert near is not None
    assert far is not None
    assert "near" in near
    assert "far" not in far


def test_names_are_escaped() -> None:
    svg = draw(a_mark("<script>alert(1)</script>"), a_mark('" onload="x'))

    assert svg is not None
    assert "<script" not in svg
    assert 'onload="x' not in svg


@given(
    st.lists(
        st.tuples(st.integers(0, 1_000_000), st.integers(0, 4_000_000_000), st.text(max_size=30)),
        min_size=2,
        max_size=20,
    )
)
def test_any_values_give_a_drawing_within_its_frame(points: list[tuple[int, int, str]]) -> None:
    printable = [(s, m, "".join(c for c in label if c.isprintable())) for s, m, label in points]

    svg = draw(*(a_mark(label, score=score, cost=cost) for score, cost, label in printable))

    assert svg is not None
    root = ET.fromstring(svg)
    for circle in root.iter("circle"):
        assert 56 <= float(circle.get("cx", "nan")) <= 852
        assert 34 <= float(circle.get("cy", "nan")) <= 348


def test_only_the_best_of_a_large_field_carry_their_names() -> None:
    svg = draw(*(a_mark(f"system {n:03}", score=990_000 - 1_000 * n, cost=1_000 + 900 * n) for n in range(300)))

    assert svg is not None
    labels = re.findall(r'class="point-label"[^>]*>([^<]+)<', svg)
    assert 0 < len(labels) <= 24
    assert set(labels) <= {f"system {n:03}" for n in range(24)}
    assert svg.count("<title>system") == 300


def test_the_axis_is_written_as_it_asks() -> None:
    svg = score_scatter(
        [a_mark("a", cost=900), a_mark("b", cost=4_000)],
        [],
        title="t",
        axis=Axis(title="x", tick="{} kg".format),
        y_title="y",
    )

    assert svg is not None
    assert re.findall(r">(\d+) kg<", svg) == ["500", "1000", "2000", "5000"]
