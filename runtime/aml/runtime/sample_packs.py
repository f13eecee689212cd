"""The packs of planned samples, read once and kept for the questions that follow."""

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Any, TypeVar

from aml.contracts.envelope import EvidenceRef
from aml.contracts.packs import ChunkPack, GoldPack, QuestionPack
from aml.contracts.units import SamplePlanned
from aml.rules.identity import event_id, job_subject

from .bus import Bus
from .evidence import EvidenceStore

T = TypeVar("T", SamplePlanned, ChunkPack, QuestionPack, GoldPack)


class SampleUnknown(Exception):
    """A unit cites a sample that the stream does not hold."""

    def __init__(self, job_id: str, sample: str) -> None:
        super().__init__(f"job {job_id} has no planned sample {sample}")
        self.job_id = job_id
        self.sample = sample


class SamplePacks:
    """A bounded cache over stream and evidence. One read a pack, however many questions ask at once."""

    def __init__(self, bus: Bus, evidence: EvidenceStore, *, capacity: int = 64) -> None:
        self._bus = bus
        self._evidence = evidence
        self._capacity = capacity
        self._reads: OrderedDict[tuple[str, str, type], asyncio.Future[Any]] = OrderedDict()

    def questions(self, job_id: str, sample: str) -> Coroutine[Any, Any, QuestionPack]:
        return self._cached(job_id, sample, QuestionPack)

    def gold(self, job_id: str, sample: str) -> Coroutine[Any, Any, GoldPack]:
        return self._cached(job_id, sample, GoldPack)

    def chunks(self, job_id: str, sample: str) -> Coroutine[Any, Any, ChunkPack]:
        return self._cached(job_id, sample, ChunkPack)

    def planned(self, job_id: str, sample: str) -> Coroutine[Any, Any, SamplePlanned]:
        """Raises `SampleUnknown`."""
        return self._cached(job_id, sample, SamplePlanned)

    async def _cached(self, job_id: str, sample: str, shape: type[T]) -> T:
        key = (job_id, sample, shape)
        known: asyncio.Future[T] | None = self._reads.get(key)
        if known is None:
            known = self._reads[key] = asyncio.ensure_future(self._read(job_id, sample, shape))
            while len(self._reads) > self._capacity:
                self._reads.popitem(last=False)
        else:
            self._reads.move_to_end(key)
            if known.done() and not known.exception():
                return known.result()  # nearly always; a shield is 5 µs
        try:
            return await asyncio.shield(known)
        except Exception:
            self._reads.pop(key, None)  # a failed read is not remembered
            raise

    async def _read(self, job_id: str, sample: str, shape: type[T]) -> T:
        if shape is SamplePlanned:
            found = await self._bus.last_event(job_subject(job_id, SamplePlanned, sample))
            if not isinstance(found, shape):
                raise SampleUnknown(job_id, sample)
            return found
        planned = await self.planned(job_id, sample)
        return await self._evidence.open_json(job_id, event_id(planned), _ref_of(planned, shape), shape)


def _ref_of(planned: SamplePlanned, shape: type) -> EvidenceRef:
    if shape is ChunkPack:
        return planned.chunk_pack
    return planned.question_pack if shape is QuestionPack else planned.gold_pack
