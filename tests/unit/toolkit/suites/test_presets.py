import pytest

from aml.toolkit.suites.categories import CAPABILITIES, CATEGORIES
from aml.toolkit.suites.errors import UnknownPreset
from aml.toolkit.suites.presets import PRESETS, preset_named

STANDARD = {
    "basic_retention": 16, "temporal_reasoning": 12, "noise_resilience": 12, "reach_back": 16, "fact_update": 12,
    "multi_topic": 10, "abstention": 10, "preference": 12,
}  # fmt: skip
FULL = {
    "basic_retention": 10, "temporal_reasoning": 8, "noise_resilience": 8, "reach_back": 10, "fact_update": 7,
    "multi_topic": 7, "cross_session": 10, "reducer_fidelity": 10, "abstention": 8, "conflict_resolution": 7,
    "multi_session": 7, "preference": 8,
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "weights", "depths", "pressure"),
    [
        ("quick", {"basic_retention": 40, "temporal_reasoning": 30, "noise_resilience": 30}, (), 0),
        ("standard", STANDARD, (5, 10, 25, 50), 0),
        ("full", FULL, (5, 10, 25, 50, 100), 0),
        ("diagnostic", FULL, (5, 10, 25, 50, 100), 50_000),
        ("overflow", STANDARD, (5, 10, 25, 50), 192_000),
    ],
)
def test_the_five_suites(name: str, weights: dict[str, int], depths: tuple[int, ...], pressure: int) -> None:
    preset = preset_named(name)
    assert (dict(preset.weights), preset.depths, preset.pressure_tokens) == (weights, depths, pressure)
    assert sum(preset.weights.values()) == 100


def test_every_category_has_a_capability_and_is_in_full() -> None:
    assert set(PRESETS["full"].weights) == set(CATEGORIES) == set(CAPABILITIES)


def test_a_name_may_be_written_in_capitals() -> None:
    assert preset_named("Standard") is PRESETS["standard"]


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownPreset) as caught:
        preset_named("huge")
    assert str(caught.value) == "there is no suite 'huge'; give one of quick, standard, full, diagnostic, overflow"
