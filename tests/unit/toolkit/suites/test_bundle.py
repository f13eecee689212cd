import hashlib
import tracemalloc
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tests.factories.scenario_files import a_scenario_file

from aml.ingest.benchmarks import read_samples, survey
from aml.toolkit.suites.bundle import SuiteManifest, write_suite
from aml.toolkit.suites.compilation import compile_cases, pick_scenarios
from aml.toolkit.suites.errors import SuiteUnwritable
from aml.toolkit.suites.presets import PRESETS

QUICK, STANDARD = PRESETS["quick"], PRESETS["standard"]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SuiteManifest]:
    path = tmp_path_factory.mktemp("suite") / "standard.jsonl"
    return path, write_suite(path, STANDARD, limit=2)


def test_ingest_reads_it_and_counts_what_the_manifest_says(written: tuple[Path, SuiteManifest]) -> None:
    path, manifest = written
    cases = compile_cases(STANDARD, pick_scenarios(STANDARD, limit=2), seed=manifest.seed, language="en")
    assert survey(manifest.adapter, path) == manifest.counts
    assert list(read_samples(manifest.adapter, path)) == [case.sample for case in cases]


def test_the_manifest_has_the_file_s_hash_and_size(written: tuple[Path, SuiteManifest]) -> None:
    path, manifest = written
    data = path.read_bytes()
    assert (manifest.sha256, manifest.size) == (hashlib.sha256(data).hexdigest(), len(data))


def test_each_question_of_the_file_has_its_key_in_the_same_order(written: tuple[Path, SuiteManifest]) -> None:
    path, manifest = written
    asked = [
        (question.question_id, question.text)
        for sample in read_samples("practice", path)
        for question in sample.questions
    ]
    assert [(key.question_id, key.ask) for key in manifest.questions] == asked
    assert {key.depth for key in manifest.questions if key.category == "reach_back"} == {5, 10, 25, 50}


def test_the_manifest_is_json_and_back(written: tuple[Path, SuiteManifest]) -> None:
    _, manifest = written
    assert msgspec.json.decode(msgspec.json.encode(manifest), type=SuiteManifest) == manifest


def test_nothing_is_left_where_it_could_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(SuiteUnwritable, match="cannot be written"):
        write_suite(tmp_path / "none" / "quick.jsonl", QUICK, limit=1)
    folder = tmp_path / "taken"
    folder.mkdir()
    with pytest.raises(SuiteUnwritable):
        write_suite(folder, QUICK, limit=1)
    assert [each.name for each in tmp_path.iterdir()] == ["taken"]


def test_memory_does_not_grow_with_the_number_of_long_histories(tmp_path: Path) -> None:
    pressed = replace(QUICK, pressure_tokens=20_000)
    write_suite(tmp_path / "warm", pressed, limit=1)  # the vocabulary and the counts of the talk are loaded once

    def peak(limit: int) -> tuple[int, int]:
        tracemalloc.start()
        try:
            size = write_suite(tmp_path / "out", pressed, limit=limit).size
            return size, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    (small, low), (large, high) = peak(1), peak(6)
    assert large > 5 * small
    assert high < 1.5 * low


def test_the_bytes_of_a_suite_are_the_same_on_every_machine(tmp_path: Path) -> None:
    """A change of this hash is a change of every suite: results before and after it are not of one dataset."""
    talk = "U[it]: The tide turns at 4:13.\n~4"
    noise = ("U: At the lighthouse it is 3:14.", "U: My boat is called 1:34.")
    (tmp_path / "mine.toml").write_text(a_scenario_file(talk=talk, noise=noise, forbidden=()), "utf-8")
    assert write_suite(tmp_path / "out", QUICK, folder=tmp_path).sha256 == SHA256


SHA256 = "8da1f4463abaec18a4e14067a45829181f56aa41a8330ffb7a6cd76bded6a66f"
