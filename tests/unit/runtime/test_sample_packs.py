"""A pack is read once, however many questions ask for it, and a failed read is not remembered."""

import asyncio
from dataclasses import dataclass, field
from typing import cast

import pytest
from msgspec.structs import replace
from obstore.store import MemoryStore
from tests.factories.events import JOB, an_event

from aml.contracts.benchmark import Gold, Question
from aml.contracts.events import Event
from aml.contracts.packs import ChunkPack, GoldPack, QuestionPack
from aml.contracts.units import SamplePlanned
from aml.rules.identity import event_id, subject_of
from aml.runtime.bus import Bus
from aml.runtime.evidence import EvidenceStore, EvidenceUnavailable
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.sample_packs import SamplePacks, SampleUnknown

QUESTIONS = QuestionPack(
    questions=(
        Question(question_id="q1", text="Where?", question_type="fact", category="fact", capability="fact_recall"),
    ),
    units=("unit-1",),
)
GOLD = GoldPack(gold=(Gold(question_id="q1", answers=("Lisbon",)),), evidence_texts=((),))
CHUNKS = ChunkPack(chunks=())


@dataclass
class FakeBus:
    facts: dict[str, Event] = field(default_factory=dict)
    reads: list[str] = field(default_factory=list)

    async def last_event(self, subject: str) -> Event | None:
        self.reads.append(subject)
        await asyncio.sleep(0)
        return self.facts.get(subject)


async def a_planned_sample(evidence: EvidenceStore, unit: str) -> SamplePlanned:
    planned = an_event(SamplePlanned, unit=unit)
    identity = event_id(planned)
    return replace(
        planned,
        chunk_pack=await evidence.put_json(JOB, identity, CHUNKS),
        question_pack=await evidence.put_json(JOB, identity, QUESTIONS),
        gold_pack=await evidence.put_json(JOB, identity, GOLD),
    )


@pytest.fixture
def evidence() -> EvidenceStore:
    return EvidenceStore(MemoryStore(), KeyEncryptionKey(bytes(32)))


@pytest.fixture
async def bus(evidence: EvidenceStore) -> FakeBus:
    planned = [await a_planned_sample(evidence, f"sample-{number}") for number in range(3)]
    return FakeBus({subject_of(event): event for event in planned})


def packs_of(bus: FakeBus, evidence: EvidenceStore, capacity: int = 64) -> SamplePacks:
    return SamplePacks(cast("Bus", bus), evidence, capacity=capacity)


async def test_each_pack_is_the_one_that_the_sample_cites(bus: FakeBus, evidence: EvidenceStore) -> None:
    packs = packs_of(bus, evidence)
    assert await packs.questions(JOB, "sample-0") == QUESTIONS
    assert await packs.gold(JOB, "sample-0") == GOLD
    assert await packs.chunks(JOB, "sample-0") == CHUNKS


async def test_many_questions_at_once_cost_one_read(bus: FakeBus, evidence: EvidenceStore) -> None:
    packs = packs_of(bus, evidence)
    found = await asyncio.gather(*(packs.questions(JOB, "sample-0") for _ in range(50)))
    assert all(pack is found[0] for pack in found)
    assert len(bus.reads) == 1


async def test_an_unknown_sample_is_named_and_looked_up_again_next_time(bus: FakeBus, evidence: EvidenceStore) -> None:
    packs = packs_of(bus, evidence)
    with pytest.raises(SampleUnknown, match="sample-9"):
        await packs.gold(JOB, "sample-9")

    late = await a_planned_sample(evidence, "sample-9")
    bus.facts[subject_of(late)] = late
    assert await packs.gold(JOB, "sample-9") == GOLD


async def test_a_failed_read_is_not_remembered(
    bus: FakeBus, evidence: EvidenceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    packs = packs_of(bus, evidence)

    async def fail(*_: object) -> None:
        raise EvidenceUnavailable("x", "slow")

    with monkeypatch.context() as patch:
        patch.setattr(evidence, "open_json", fail)
        with pytest.raises(EvidenceUnavailable):
            await packs.gold(JOB, "sample-0")
    assert await packs.gold(JOB, "sample-0") == GOLD


async def test_the_cache_is_bounded_and_forgets_what_was_not_used_longest(
    bus: FakeBus, evidence: EvidenceStore
) -> None:
    packs = packs_of(bus, evidence, capacity=4)
    for number in (0, 1, 0, 2):
        await packs.questions(JOB, f"sample-{number}")
    reads = len(bus.reads)
    await packs.questions(JOB, "sample-0")
    assert len(bus.reads) == reads
    await packs.questions(JOB, "sample-1")
    assert len(bus.reads) == reads + 1


async def test_one_that_stops_waiting_does_not_stop_the_others(bus: FakeBus, evidence: EvidenceStore) -> None:
    packs = packs_of(bus, evidence)
    impatient = asyncio.ensure_future(packs.questions(JOB, "sample-0"))
    patient = asyncio.ensure_future(packs.questions(JOB, "sample-0"))
    await asyncio.sleep(0)
    impatient.cancel()
    assert await patient == QUESTIONS
