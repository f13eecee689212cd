from pathlib import Path

import pytest
from obstore.store import MemoryStore
from tests.factories.events import a_digest, an_event
from tests.factories.paper_stream import PaperBus

from aml.contracts.fair_play import CanaryPlanned
from aml.contracts.jobs import DatasetPin, JobFailed, JobPlanned, JobRequested
from aml.contracts.release import Release
from aml.contracts.units import SamplePlanned
from aml.ingest.benchmarks.practice.write_bundle import SMOKE_SHA256, write_practice_bundle
from aml.ingest.plan_job import JobPlanner
from aml.runtime.clock import FixedClock
from aml.runtime.evidence import EvidenceStore
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.release_folder import ReleaseError, find_release, load_release

RELEASE = load_release(find_release("practice")).release
PIPELINE, DIGEST = a_digest("pipeline"), a_digest("release")
SMOKE = DatasetPin(name="practice", adapter="practice", version="1", sha256=SMOKE_SHA256)


def a_request(**changes: object) -> JobRequested:
    usual: dict[str, object] = {
        "pipeline_digest": PIPELINE, "release_digest": DIGEST, "datasets": (SMOKE,), "mode": "full", "arm": "participant",
    }  # fmt: skip
    return an_event(JobRequested, **usual | changes)


class World:
    def __init__(self, datasets: Path) -> None:
        self.bus = PaperBus()
        self.release: tuple[Release, str] | ReleaseError = (RELEASE, DIGEST)
        evidence = EvidenceStore(MemoryStore(), KeyEncryptionKey(bytes(32)))
        self.planner = JobPlanner(
            self.bus.as_bus(), evidence, FixedClock(1000), datasets, PIPELINE, lambda _: self.release_of()
        )

    def release_of(self) -> tuple[Release, str]:
        if isinstance(self.release, ReleaseError):
            raise self.release
        return self.release

    async def refusal(self, requested: JobRequested) -> str:
        await self.planner.plan(requested)
        [failed] = self.bus.facts()
        assert isinstance(failed, JobFailed)
        assert (failed.stage, failed.reason) == ("ingest", "internal")
        return failed.detail


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("datasets")
    write_practice_bundle(folder / SMOKE_SHA256, smoke=True)
    return folder


@pytest.fixture
def world(datasets: Path) -> World:
    return World(datasets)


async def test_a_full_run_is_planned_with_its_samples_and_canaries(world: World) -> None:
    await world.planner.plan(a_request())

    planned, *rest = world.bus.facts()
    assert isinstance(planned, JobPlanned)
    assert (planned.samples, planned.questions) == (2, 12)
    samples = [fact for fact in rest if isinstance(fact, SamplePlanned)]
    assert sum(sample.questions for sample in samples) == 12
    assert sum(sample.chunks for sample in samples) == planned.chunks > 0
    probed = {fact.sample for fact in rest if isinstance(fact, CanaryPlanned)}
    assert probed == {sample.unit for sample in samples}


async def test_a_baseline_writes_nothing_and_is_not_probed(world: World) -> None:
    await world.planner.plan(a_request(arm="oracle", target=None))

    planned, *rest = world.bus.facts()
    assert isinstance(planned, JobPlanned)
    assert planned.chunks == 0
    assert {type(fact) for fact in rest} == {SamplePlanned}


async def test_planning_again_after_a_crash_states_the_same_facts(world: World) -> None:
    await world.planner.plan(a_request())
    once = dict(world.bus.messages)
    await world.planner.plan(a_request())
    assert world.bus.messages == once


async def test_a_job_of_other_code_is_refused(world: World) -> None:
    assert "deploy one version everywhere" in await world.refusal(a_request(pipeline_digest=a_digest("other")))


async def test_a_job_under_other_release_files_is_refused(world: World) -> None:
    assert "restore the locked files" in await world.refusal(a_request(release_digest=a_digest("other")))


async def test_a_release_that_is_not_here_ends_the_job_and_names_no_folder(world: World) -> None:
    world.release = ReleaseError(Path("/srv/releases/gone"), "release.toml", "is missing")
    detail = await world.refusal(a_request(release_id="gone"))
    assert detail == "release gone cannot be used here: is missing"


async def test_a_bundle_that_is_not_here_is_named(world: World) -> None:
    absent = DatasetPin(name="practice", adapter="practice", version="1", sha256=a_digest("absent"))
    assert "practice is not in the datasets folder" in await world.refusal(a_request(datasets=(absent,)))
