"""One sample's packs, purely: the Add requests in order, the questions, and the gold beside them."""

from dataclasses import dataclass

from msgspec import UNSET

from aml.contracts.benchmark import Sample, Turn
from aml.contracts.packs import ChunkPack, GoldPack, PlannedChunk, QuestionPack
from aml.contracts.participant import AddRequest, Message
from aml.contracts.release import Chunking
from aml.rules.chunking import chunk_turns
from aml.rules.identity import unit_of


@dataclass(frozen=True)
class PlannedSample:
    unit: str
    user_id: str
    chunks: ChunkPack
    questions: QuestionPack
    gold: GoldPack


def plan_sample(
    sample: Sample, *, job_id: str, dataset: str, chosen: frozenset[str], chunking: Chunking
) -> PlannedSample | None:
    """The packs of `sample` with its `chosen` questions; None when none of them is chosen.

    Turns with blank content are left out: the contract wants non-empty content, and they hold nothing to remember.
    """
    picked = [(q, g) for q, g in zip(sample.questions, sample.gold, strict=True) if q.question_id in chosen]
    if not picked:
        return None
    user_id = f"eval:{job_id}:{dataset}:{sample.sample_id}"
    texts = {turn.turn_id: turn.content for session in sample.sessions for turn in session.turns}
    return PlannedSample(
        unit=unit_of(dataset, sample.sample_id),
        user_id=user_id,
        chunks=ChunkPack(chunks=tuple(_chunks(sample, job_id, dataset, user_id, chunking))),
        questions=QuestionPack(
            questions=tuple(question for question, _ in picked),
            units=tuple(unit_of(dataset, sample.sample_id, question.question_id) for question, _ in picked),
        ),
        gold=GoldPack(
            gold=tuple(gold for _, gold in picked),
            evidence_texts=tuple(tuple(texts[turn_id] for turn_id in gold.evidence) for _, gold in picked),
        ),
    )


def chunk_unit(sample_unit: str, index: int) -> str:
    return f"{sample_unit}-{index}"


def _chunks(sample: Sample, job_id: str, dataset: str, user_id: str, chunking: Chunking) -> list[PlannedChunk]:
    chunks: list[PlannedChunk] = []
    for session in sample.sessions:
        turns = [turn for turn in session.turns if turn.content.strip()]
        for group in chunk_turns(turns, max_messages=chunking.max_messages, max_words=chunking.max_words):
            request = AddRequest(
                request_id=f"eval:{job_id}:{dataset}:{sample.sample_id}:chunk-{len(chunks)}",
                messages=tuple(_message(turn) for turn in group),
                user_id=user_id,
                session_id=f"eval:{job_id}:{sample.sample_id}:{session.session_id}",
            )
            chunks.append(PlannedChunk(request=request, turn_ids=tuple(turn.turn_id for turn in group)))
    return chunks


def _message(turn: Turn) -> Message:
    timestamp = UNSET if turn.timestamp is None else turn.timestamp
    return Message(role=turn.role, content=turn.content, timestamp=timestamp)
