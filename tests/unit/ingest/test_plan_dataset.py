import pytest

from aml.contracts.jobs import DatasetPin
from aml.contracts.release import Chunking
from aml.ingest import plan_dataset
from aml.ingest.benchmarks import BundleError, write_practice_bundle
from aml.ingest.dataset_folder import bundle_path
from aml.ingest.plan_dataset import PlannedDataset


@pytest.fixture
def bundle(tmp_path):
    partial = tmp_path / "bundle"
    digest = write_practice_bundle(partial, smoke=True)
    return partial.rename(tmp_path / digest)


def a_pin(bundle, **changes):
    fields = {"name": "practice", "adapter": "practice", "version": "1", "sha256": bundle.name}
    return DatasetPin(**(fields | changes))


def planned(bundle, **changes):
    return PlannedDataset(a_pin(bundle, **changes), bundle, job_id="job1", chunking=Chunking())


def test_a_whole_dataset_is_planned_with_its_counts(bundle):
    dataset = planned(bundle)

    plan = dataset.plan()

    assert (plan.samples, plan.questions) == (dataset.found.samples, dataset.found.questions)
    assert plan.turns == dataset.found.turns
    assert {count.category: count.questions for count in plan.categories} == dataset.found.categories
    assert plan.chunks == sum(len(sample.chunks.chunks) for sample in dataset.samples())


def test_a_limit_is_what_is_planned(bundle):
    dataset = planned(bundle, limit=3, sample_seed=7)

    samples = list(dataset.samples())

    assert dataset.plan().questions == 3
    assert sum(len(sample.questions.questions) for sample in samples) == 3
    assert dataset.found.questions == 12


def test_the_same_seed_plans_the_same_bytes(bundle):
    one = [(s.unit, s.chunks, s.questions, s.gold) for s in planned(bundle, limit=5, sample_seed=1).samples()]
    two = [(s.unit, s.chunks, s.questions, s.gold) for s in planned(bundle, limit=5, sample_seed=1).samples()]

    assert one == two


def test_a_changed_file_is_refused_before_anything_is_planned(bundle):
    bundle.write_bytes(bundle.read_bytes() + b"\n")

    with pytest.raises(BundleError, match="sha256"):
        planned(bundle)


def test_a_missing_bundle_names_the_dataset(tmp_path, bundle):
    with pytest.raises(BundleError, match="dataset practice is not in the datasets folder"):
        bundle_path(tmp_path / "elsewhere", a_pin(bundle))


@pytest.mark.parametrize("limit", [None, 5])
def test_a_bundle_too_large_to_be_kept_is_planned_alike(bundle, monkeypatch, limit):
    kept = planned(bundle, limit=limit)
    monkeypatch.setattr(plan_dataset, "_HELD_BYTES", 0)
    streamed = planned(bundle, limit=limit)

    assert streamed.found == kept.found
    assert streamed.plan() == kept.plan()
    assert list(streamed.samples()) == list(kept.samples()) == list(kept.samples())
