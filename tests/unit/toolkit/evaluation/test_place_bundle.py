import hashlib
from pathlib import Path

import pytest

from aml.ingest.benchmarks import BundleError, write_practice_bundle
from aml.toolkit.evaluation.dataset_choice import OWN_BUNDLES, DatasetChoice
from aml.toolkit.evaluation.place_bundle import place_bundle


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    write_practice_bundle(tmp_path / "mine.json", smoke=True)
    return tmp_path / "mine.json"


@pytest.fixture
def datasets(tmp_path: Path) -> Path:
    (tmp_path / "datasets").mkdir()
    return tmp_path / "datasets"


def a_choice(path: Path | None) -> DatasetChoice:
    return DatasetChoice(name="practice", adapter="practice", path=path)


def test_a_file_is_found_under_its_hash(bundle: Path, datasets: Path) -> None:
    placed = place_bundle(a_choice(bundle), datasets)

    assert placed.sha256 == hashlib.sha256(bundle.read_bytes()).hexdigest()
    assert (datasets / placed.sha256).read_bytes() == bundle.read_bytes()
    assert (placed.samples, placed.questions) == (2, 12)


def test_a_link_to_a_file_that_moved_is_renewed(bundle: Path, datasets: Path) -> None:
    placed = place_bundle(a_choice(bundle), datasets)
    moved = bundle.rename(bundle.with_name("moved.json"))

    place_bundle(a_choice(moved), datasets)

    assert (datasets / placed.sha256).resolve() == moved.resolve()


def test_a_file_system_without_links_gets_a_copy(bundle: Path, datasets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(Path, "symlink_to", refuse)

    placed = place_bundle(a_choice(bundle), datasets)

    assert not (datasets / placed.sha256).is_symlink()
    assert (datasets / placed.sha256).read_bytes() == bundle.read_bytes()


def test_a_broken_file_is_refused_and_leaves_nothing(bundle: Path, datasets: Path) -> None:
    bundle.write_bytes(bundle.read_bytes()[:-40])

    with pytest.raises(BundleError, match=r"mine\.json"):
        place_bundle(a_choice(bundle), datasets)
    assert list(datasets.iterdir()) == []


def test_an_own_bundle_is_known_by_its_hash_alone(datasets: Path) -> None:
    assert place_bundle(a_choice(None), datasets).sha256 == OWN_BUNDLES["practice"]
    assert list(datasets.iterdir()) == []
