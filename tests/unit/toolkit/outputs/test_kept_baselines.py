"""Which baselines a result is held against."""

from pathlib import Path

import pytest
from tests.factories.suite_results import a_provenance, a_question, a_result

from aml.toolkit.baselines import BaselineBroken, BaselineStore, Comparison
from aml.toolkit.outputs import KeptBaselines
from aml.toolkit.results import SuiteResult


def scoring(score: float, **provenance: object) -> SuiteResult:
    return a_result([a_question("basic_retention", score)], provenance=a_provenance(**provenance))


def test_a_folder_holds_a_file_a_configuration(tmp_path: Path) -> None:
    kept = KeptBaselines.read(tmp_path / "kept")
    assert kept.hold(scoring(90.0)).comparison is None
    assert kept.save(scoring(100.0)) == tmp_path / "kept" / "an-agent-quick-en.json"
    BaselineStore(tmp_path / "kept").save(scoring(20.0), "somebody else's")

    again = KeptBaselines.read(tmp_path / "kept")
    found = again.hold(scoring(90.0)).comparison
    assert isinstance(found, Comparison)
    assert (found.label, found.overall_points) == ("an agent quick en", -10.0)
    assert {each.label for each in again.beside([scoring(90.0)])} == {"an agent quick en", "somebody else's"}
    assert again.beside([scoring(90.0, suite="full")]) == ()


def test_a_file_is_held_against_whatever_its_label(tmp_path: Path) -> None:
    file = tmp_path / "main.json"
    assert KeptBaselines.read(file).save(scoring(100.0)) == file
    found = KeptBaselines.read(file).hold(scoring(90.0)).comparison
    assert isinstance(found, Comparison)
    assert found.label == "main"


def test_a_saved_result_is_as_good_as_a_baseline(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_bytes(scoring(100.0).to_json())
    found = KeptBaselines.read(tmp_path / "result.json").hold(scoring(90.0)).comparison
    assert isinstance(found, Comparison)
    assert found.overall_points == -10.0


def test_anything_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("[1, 2]")
    with pytest.raises(BaselineBroken, match=r"other\.json cannot be read"):
        KeptBaselines.read(tmp_path / "other.json")


@pytest.mark.parametrize("name", ["my base.json", "基线.json", "base.json"])
def test_a_file_is_written_where_it_was_asked_for_whatever_it_held(tmp_path: Path, name: str) -> None:
    BaselineStore(tmp_path).save(scoring(10.0), "another").rename(tmp_path / name)

    KeptBaselines.read(tmp_path / name).save(scoring(100.0))

    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert KeptBaselines.read(tmp_path / name).baselines[0].overall == 100.0


def test_without_a_place_nothing_is_wanted() -> None:
    held = KeptBaselines.read(None).hold(scoring(90.0))
    assert (held.wanted, held.comparison) == (False, None)
