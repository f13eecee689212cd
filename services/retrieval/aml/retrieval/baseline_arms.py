"""The organiser's arms: what the answering model sees when there is no memory system, all of the past, or just the evidence."""

from datetime import date, timedelta
from typing import assert_never

from msgspec import UnsetType

from aml.contracts.packs import ChunkPack, GoldPack
from aml.contracts.participant import Content, Memory
from aml.contracts.vocabulary import Arm

_EPOCH = date(1970, 1, 1)


def no_memories() -> tuple[Memory, ...]:
    return ()


def full_context(chunks: ChunkPack) -> tuple[Memory, ...]:
    """Every turn in order, dated like a participant would see it. The answer's token limit cuts it, as it would any model's."""
    return tuple(
        Memory(id=turn_id, content=_dated(message.content, message.timestamp))
        for chunk in chunks.chunks
        for turn_id, message in zip(chunk.turn_ids, chunk.request.messages, strict=True)
    )


def oracle(chunks: ChunkPack, gold: GoldPack, index: int) -> tuple[Memory, ...]:
    """The turns that hold the answer, in order; none where the benchmark names none."""
    evidence = frozenset(gold.gold[index].evidence)
    return tuple(memory for memory in full_context(chunks) if memory.id in evidence)


def memories_of(arm: Arm, chunks: ChunkPack, gold: GoldPack, index: int) -> tuple[Memory, ...]:
    match arm:
        case "no_memory":
            return no_memories()
        case "full_context":
            return full_context(chunks)
        case "oracle":
            return oracle(chunks, gold, index)
        case "participant":
            raise ValueError("a participant's memories come from its Search")
        case _:
            assert_never(arm)


def _dated(content: Content, timestamp: int | UnsetType) -> Content:
    if isinstance(timestamp, UnsetType) or not isinstance(content, str):
        return content
    return f"[{iso_date(timestamp)}] {content}"


def iso_date(unix_ms: int) -> str:
    """`2023-05-08`, by the proleptic Gregorian calendar in UTC."""
    days = unix_ms // 86_400_000
    return (_EPOCH + timedelta(days=days)).isoformat()
