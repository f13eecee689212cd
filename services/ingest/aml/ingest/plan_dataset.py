"""One dataset of a job: checked as a whole, then planned sample by sample."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from aml.contracts.benchmark import BundleCounts, Sample
from aml.contracts.jobs import CategoryCount, DatasetPin, DatasetPlan
from aml.contracts.release import Chunking

from .benchmarks.adapter import read_samples
from .benchmarks.bundle import survey, verify_bundle
from .plan_sample import PlannedSample, plan_sample
from .sampling import choose_questions

_HELD_BYTES: Final = 8 * 1024 * 1024
"""Of a bundle that is read once; in memory it is about six times as large. LoCoMo is 3 MB, LongMemEval 280 MB."""


class PlannedDataset:
    """Reads a large bundle as a stream each time: hash, survey, counting what is chosen, and the packs. A small one is kept."""

    def __init__(self, pin: DatasetPin, path: Path, *, job_id: str, chunking: Chunking) -> None:
        """Raises `BundleError` before anything is planned."""
        verify_bundle(path, pin.sha256)
        self._pin = pin
        self._path = path
        self._job_id = job_id
        self._chunking = chunking
        self._read: list[Sample] | None = [] if path.stat().st_size <= _HELD_BYTES else None
        self._planned: tuple[PlannedSample, ...] | None = None
        self.found: BundleCounts = survey(pin.adapter, path, seen=self._read)
        self._chosen = choose_questions(self._question_ids(), pin.limit, pin.sample_seed)

    def samples(self) -> Iterable[PlannedSample]:
        if self._read is None:
            return self._plan_each()
        if self._planned is None:
            self._planned, self._read = tuple(self._plan_each()), []
        return self._planned

    def _plan_each(self) -> Iterator[PlannedSample]:
        for sample in self._samples():
            planned = plan_sample(
                sample,
                job_id=self._job_id,
                dataset=self._pin.name,
                chosen=self._chosen,
                chunking=self._chunking,
            )
            if planned is not None:
                yield planned

    def _samples(self) -> Iterable[Sample]:
        return read_samples(self._pin.adapter, self._path) if self._read is None else self._read

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
        for sample in self._samples():
            for question in sample.questions:
                yield question.question_id
