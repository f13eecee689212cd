import hashlib
import tracemalloc
from pathlib import Path

import pytest
from tests.factories.longmemeval import TYPES, a_dataset, a_record

from aml.ingest.benchmarks import BundleError, read_samples, survey
from aml.toolkit.longmemeval.dataset import read_catalogue, write_sample
from aml.toolkit.longmemeval.options import LongMemEvalOptions
from aml.toolkit.longmemeval.oracle import OracleOptions
from aml.toolkit.longmemeval.sampling import select

SHARED = Path(__file__).parents[4] / "../shared/data/longmemeval"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_dataset(tmp_path_factory.mktemp("lme") / "d.json")


def test_the_catalogue_knows_types_and_abstention_by_the_end_of_the_id(dataset: Path) -> None:
    catalogue = read_catalogue(dataset, hashed=True)
    assert {entry.question_type for entry in catalogue.entries} == set(TYPES)
    assert sum(entry.abstention for entry in catalogue.entries) == 6
    assert catalogue.sha256 == hashlib.sha256(dataset.read_bytes()).hexdigest()
    assert read_catalogue(dataset, hashed=False).sha256 is None


def test_what_was_selected_is_written_as_ingest_reads_it(dataset: Path, tmp_path: Path) -> None:
    options = LongMemEvalOptions(max_questions=8)
    selection = select(read_catalogue(dataset, hashed=False).entries, options)
    written = write_sample(dataset, tmp_path, selection, options)
    assert written.path == tmp_path / hashlib.sha256(written.path.read_bytes()).hexdigest()
    assert survey("practice", written.path).questions == 8
    assert {sample.sample_id for sample in read_samples("practice", written.path)} == set(selection.ids)
    assert [each.name for each in tmp_path.iterdir()] == [written.sha256]
    key = written.keys[selection.ids[0]]
    assert (len(key.answer_sessions), key.sessions) == (1, 4)


def test_the_same_sample_is_the_same_bytes(dataset: Path, tmp_path: Path) -> None:
    options = LongMemEvalOptions(max_questions=5)
    selection = select(read_catalogue(dataset, hashed=False).entries, options)
    one, other = (write_sample(dataset, tmp_path, selection, options) for _ in range(2))
    assert one.sha256 == other.sha256


def test_the_oracle_s_sample_is_smaller_and_says_what_became_of_it(dataset: Path, tmp_path: Path) -> None:
    options = LongMemEvalOptions()
    selection = select(read_catalogue(dataset, hashed=False).entries, options)
    written = write_sample(dataset, tmp_path, selection, options, oracle=OracleOptions(distractor_sessions=1))
    assert survey("practice", written.path).sessions == 60
    assert written.oracle is not None
    assert (written.oracle.gold_kept, written.oracle.distractors_added) == (30, 30)


def test_a_decomposed_reference_stands_in_the_gold_s_rubric(tmp_path: Path) -> None:
    record = a_record(0) | {"answer": "She moved to Ghent. She kept the boat."}
    path = a_dataset(tmp_path / "d.json", [record])
    options = LongMemEvalOptions(judge_decomposition="per_predicate_all_must_hold")
    written = write_sample(path, tmp_path, select(read_catalogue(path, hashed=False).entries, options), options)
    (sample,) = read_samples("practice", written.path)
    assert sample.gold[0].rubric == ("She moved to Ghent.", "She kept the boat.")


def test_an_id_that_is_used_twice_is_refused(tmp_path: Path) -> None:
    path = a_dataset(tmp_path / "d.json", [a_record(1), a_record(1)])
    with pytest.raises(BundleError, match=r"q001: question_id: is used twice"):
        read_catalogue(path, hashed=False)


@pytest.mark.parametrize("content", ["[]", "{}", "", "[{"])
def test_a_file_that_is_no_dataset_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "d.json"
    path.write_text(content)
    with pytest.raises(BundleError):
        read_catalogue(path, hashed=False)


def test_a_dataset_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="No such file"):
        read_catalogue(tmp_path / "none.json", hashed=False)


def test_a_file_with_fields_missing_says_which() -> None:
    path = SHARED / "agenteval-synthetic-subset.json"
    if not path.exists():
        pytest.skip("the shared synthetic subset is not here")
    with pytest.raises(BundleError, match=r"question_date|haystack_"):
        read_catalogue(path, hashed=False)


def peak_of(questions: int, folder: Path) -> int:
    path = a_dataset(folder / f"{questions}.json", [a_record(number, sessions=40) for number in range(questions)])
    options = LongMemEvalOptions()
    tracemalloc.start()
    try:
        write_sample(path, folder, select(read_catalogue(path, hashed=False).entries, options), options)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_the_memory_is_that_of_one_question_however_many_there_are(tmp_path: Path) -> None:
    few, many = peak_of(50, tmp_path), peak_of(150, tmp_path)  # the parser's buffer holds as much as 50 of these
    assert many < 1.3 * few, (few, many)


def test_real_questions_are_sampled_and_written(tmp_path: Path) -> None:
    path = SHARED / "longmemeval-like.json"
    if not path.exists():
        pytest.skip("the shared LongMemEval questions are not here")
    options = LongMemEvalOptions(
        max_questions=12, abstention_policy="target_proportion", abstention_target_proportion=0.5
    )
    catalogue = read_catalogue(path, hashed=False)
    selection = select(catalogue.entries, options)
    assert len(catalogue.entries) == 78
    assert sum(entry.abstention for entry in selection.questions) == 6
    written = write_sample(path, tmp_path, selection, options)
    assert all(len(key.answer_sessions) == 1 for key in written.keys.values())
    assert survey("practice", written.path).questions == 12
