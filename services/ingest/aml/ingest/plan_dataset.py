"""One dataset of a job: checked as a whole, then planned sample by sample."""

from collections.abc import Iterator
from pathlib import Path

from aml.contracts.benchmark import BundleCounts
from aml.contracts.jobs import CategoryCount, DatasetPin, DatasetPlan
from aml.contracts.release import Chunking

from .benchmarks.adapter import read_samples
from .benchmarks.bundle import survey, verify_bundle
from .plan_sample import PlannedSample, plan_sample
from .sampling import choose_questions


class PlannedDataset:
    """Reads the bundle three times, each time as a stream: hash and survey, counting what is chosen, and the packs."""

    def __init__(self, pin: DatasetPin, path: Path, *, job_id: str, chunking: Chunking) -> None:
        """Raises `BundleError` before anything is planned."""
        verify_bundle(path, pin.sha256)
        self.found: BundleCounts = survey(pin.adapter, path)
        self._pin = pin
        self._path = path
        self._job_id = job_id
        self._chunking = chunking
        self._chosen = choose_questions(self._question_ids(), pin.limit, pin.sample_seed)

    def samples(self) -> Iterator[PlannedSample]:
        for sample in read_samples(self._pin.adapter, self._path):
            planned = plan_sample(
                sample,
                job_id=self._job_id,
                dataset=self._pin.name,
                chosen=self._chosen,
                chunking=self._chunking,
            )
            if planned is not None:
                yield planned

    def plan(self) -> DatasetPlan:
        """What of the bundle is evaluated."""
        samples = sessions = turns = chunks = 0
        categories: dict[str, int] = {}
        for sample in self.samples():
            samples += 1
            sessions += len({chunk.request.session_id for chunk in sample.chunks.chunks})
            turns += sum(len(chunk.turn_ids) for chunk in sample.chunks.chunks)
            chunks += len(sample.chunks.chunks)
            for question in sample.questions.questions:
                categories[question.category] = categories.get(question.category, 0) + 1
        return DatasetPlan(
            name=self._pin.name,
            adapter=self._pin.adapter,
            version=self._pin.version,
            sha256=self._pin.sha256,
            samples=samples,
            sessions=sessions,
            turns=turns,
            chunks=chunks,
            questions=sum(categories.values()),
            categories=tuple(CategoryCount(category=name, questions=count) for name, count in categories.items()),
        )

    def _question_ids(self) -> Iterator[str]:
        for sample in read_samples(self._pin.adapter, self._path):
            for question in sample.questions:
                yield question.question_id
