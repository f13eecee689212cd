"""The pentagons: one for suites and one for LongMemEval, since their axes are not the same abilities."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup
from msgspec import Struct

from aml.toolkit.metrics.pentagon import LONGMEMEVAL_AXES, SUITE_AXES

from .catalogue import Catalogue
from .charts import pentagon
from .series import Series


class Overlay(Struct, frozen=True, kw_only=True):
    axes: tuple[str, ...]
    series: tuple[Series, ...]
    chart: Markup | None
    scores: Mapping[int, Mapping[str, float]]
    """By the series' place, then by axis."""
    members: Mapping[str, tuple[str, ...]]
    """By axis, the categories that any of the series has it from."""


def overlays_of(series: Sequence[Series], t: Catalogue) -> tuple[Overlay, ...]:
    """Series without an axis are in none of them."""
    families: dict[tuple[str, ...], list[Series]] = {}
    for each in series:
        if each.axes:
            families.setdefault(_family(each), []).append(each)
    return tuple(_overlay(family, members, t) for family, members in families.items())


def _family(series: Series) -> tuple[str, ...]:
    names = {axis.name for axis in series.axes}
    for known in (SUITE_AXES, LONGMEMEVAL_AXES):
        if names <= known.keys():
            return tuple(known)
    return tuple(axis.name for axis in series.axes)


def _overlay(family: Sequence[str], members: Sequence[Series], t: Catalogue) -> Overlay:
    scores = {each.place: {axis.name: axis.score for axis in each.axes} for each in members}
    axes = tuple(name for name in family if any(name in known for known in scores.values()))
    title = t("pentagon.title", names=", ".join(each.name for each in members))
    labels = {name: t.named("axis", name) for name in axes}
    return Overlay(
        axes=axes,
        series=tuple(members),
        chart=pentagon(axes, members, title=title, labels=labels),
        scores=scores,
        members={name: _categories(name, members) for name in axes},
    )


def _categories(axis: str, members: Sequence[Series]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(name for each in members for one in each.axes if one.name == axis for name in one.categories)
    )
