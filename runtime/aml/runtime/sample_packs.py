"""The packs of planned samples, read once and kept for the questions that follow."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TypeVar

from aml.contracts.envelope import EvidenceRef
from aml.contracts.packs import ChunkPack, GoldPack, QuestionPack
from aml.contracts.units import SamplePlanned
from aml.rules.identity import event_id, job_subject

from .bus import Bus
from .evidence import EvidenceStore

T = TypeVar("T", ChunkPack, QuestionPack, GoldPack)


class SampleUnknown(Exception):
    """A unit cites a sample that the stream does not hold."""

    def __init__(self, job_id: str, sample: str) -> None:
        super().__init__(f"job {job_id} has no planned sample {sample}")
        self.job_id = job_id
        self.sample = sample


@dataclass(frozen=True)
class _Key:
    job_id: str
    sample: str
    shape: type


class SamplePacks:
    """A bounded cache over stream and evidence. One read a pack, however many questions ask at once."""

    def __init__(self, bus: Bus, evidence: EvidenceStore, *, capacity: int = 64) -> None:
        self._bus = bus
        self._evidence = evidence
        self._capacity = capacity
        self._reads: OrderedDict[_Key, asyncio.Future[object]] = OrderedDict()

    async def questions(self, job_id: str, sample: str) -> QuestionPack:
        return await self._pack(job_id, sample, QuestionPack)

    async def gold(self, job_id: str, sample: str) -> GoldPack:
        return await self._pack(job_id, sample, GoldPack)

    async def chunks(self, job_id: str, sample: str) -> ChunkPack:
        return await self._pack(job_id, sample, ChunkPack)

    async def planned(self, job_id: str, sample: str) -> SamplePlanned:
        """Raises `SampleUnknown`."""
        found = await self._cached(_Key(job_id, sample, SamplePlanned))
        assert isinstance(found, SamplePlanned)
        return found

    async def _pack(self, job_id: str, sample: str, shape: type[T]) -> T:
        found = await self._cached(_Key(job_id, sample, shape))
        assert isinstance(found, shape)
        return found

    async def _cached(self, key: _Key) -> object:
        known = self._reads.get(key)
        if known is None:
            known = self._reads[key] = asyncio.ensure_future(self._read(key))
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

    async def _read(self, key: _Key) -> object:
        if key.shape is SamplePlanned:
            found = await self._bus.last_event(job_subject(key.job_id, SamplePlanned, key.sample))
            if not isinstance(found, SamplePlanned):
                raise SampleUnknown(key.job_id, key.sample)
            return found
        planned = await self.planned(key.job_id, key.sample)
        return await self._evidence.open_json(key.job_id, event_id(planned), _ref_of(planned, key.shape), key.shape)


def _ref_of(planned: SamplePlanned, shape: type) -> EvidenceRef:
    if shape is ChunkPack:
        return planned.chunk_pack
    return planned.question_pack if shape is QuestionPack else planned.gold_pack
