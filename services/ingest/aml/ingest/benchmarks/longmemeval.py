"""LongMemEval in its official schema (500 questions; `longmemeval_s_cleaned.json`, MIT), one question in memory at a time.

Every question brings its own haystack, so every question is a sample. Session ids repeat within a haystack: the second `x`
becomes `x#2`. Roles are kept in the order in which they come. An id that ends in `_abs` asks for what was never said: its
gold is abstention and its question type `longmemeval_abstention`, while its category stays the type it was made from.
"""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from aml.contracts.benchmark import Gold, Question, Sample, Session, Turn
from aml.contracts.vocabulary import Capability

from .dates import parse_longmemeval_time
from .errors import BundleError
from .json_records import convert_record, stream_array

TYPES: Final[dict[str, Capability]] = {
    "single-session-user": "fact_recall",
    "single-session-assistant": "fact_recall",
    "single-session-preference": "preference",
    "multi-session": "multi_hop",
    "temporal-reasoning": "temporal",
    "knowledge-update": "knowledge_update",
}


class _SourceTurn(Struct):
    role: Literal["user", "assistant"]
    content: str
    has_answer: bool | None = None


class _SourceQuestion(Struct):
    question_id: str
    question_type: str
    question: str
    answer: str | int | float
    question_date: str
    haystack_session_ids: tuple[str, ...]
    haystack_dates: tuple[str, ...]
    haystack_sessions: tuple[tuple[_SourceTurn, ...], ...]
    answer_session_ids: tuple[str, ...]


def read_longmemeval(path: Path) -> Iterator[Sample]:
    """Raises `BundleError` naming file, record and field."""
    return (sample for sample, _ in read_with_answer_sessions(path))


def read_with_answer_sessions(
    path: Path, wanted: Container[str] | None = None
) -> Iterator[tuple[Sample, frozenset[str]]]:
    """Beside each sample the ids of those of its sessions that hold the answer, whether or not a turn of theirs is marked.

    Questions whose id is not `wanted` are passed over unread. Raises `BundleError` naming file, record and field.
    """
    for number, item in stream_array(path):
        if wanted is not None and isinstance(item, dict) and item.get("question_id") not in wanted:
            continue
        record = _record_name(number, item)
        source = convert_record(path, record, item, _SourceQuestion)
        sample, answering = _sample(path, record, source), set(source.answer_session_ids)
        named = zip(source.haystack_session_ids, sample.sessions, strict=True)
        yield sample, frozenset(session.session_id for source_id, session in named if source_id in answering)


def _sample(path: Path, record: str, source: _SourceQuestion) -> Sample:
    if source.question_type not in TYPES:
        known = ", ".join(TYPES)
        raise BundleError(path, record, "question_type", f"{source.question_type!r} is none of {known}")
    for field, values in (("haystack_dates", source.haystack_dates), ("haystack_sessions", source.haystack_sessions)):
        if len(values) != len(source.haystack_session_ids):
            ids = len(source.haystack_session_ids)
            raise BundleError(path, record, field, f"has {len(values)} items where haystack_session_ids has {ids}")
    abstention = source.question_id.endswith("_abs")
    category = source.question_type.replace("-", "_")
    sessions = _sessions(path, record, source)
    question = Question(
        question_id=source.question_id,
        text=source.question,
        question_type="longmemeval_abstention" if abstention else f"longmemeval_{category}",
        category=category,
        capability=TYPES[source.question_type],  # the type's: a category is reported under one capability
        asked_at=_time(path, record, "question_date", source.question_date),
    )
    gold = Gold(
        question_id=source.question_id,
        answers=() if abstention else (str(source.answer),),
        abstention=abstention,
        evidence=_evidence(source, sessions),
    )
    return Sample(sample_id=source.question_id, sessions=sessions, questions=(question,), gold=(gold,))


def _sessions(path: Path, record: str, source: _SourceQuestion) -> tuple[Session, ...]:
    sessions: list[Session] = []
    for index, session_id in enumerate(_unique(source.haystack_session_ids)):
        started = _time(path, record, f"haystack_dates[{index}]", source.haystack_dates[index])
        turns = tuple(
            Turn(
                turn_id=f"{session_id}:{position + 1}",
                role=said.role,
                content=said.content,
                timestamp=started + position * 1000,
            )
            for position, said in enumerate(source.haystack_sessions[index])
        )
        sessions.append(Session(session_id=session_id, turns=turns))
    return tuple(sessions)


def _evidence(source: _SourceQuestion, sessions: Sequence[Session]) -> tuple[str, ...]:
    """The turns marked `has_answer`; where none is, every turn of the answer sessions. Unknown session ids name nothing."""
    marked = tuple(
        turn.turn_id
        for session, said in zip(sessions, source.haystack_sessions, strict=True)
        for turn, source_turn in zip(session.turns, said, strict=True)
        if source_turn.has_answer
    )
    if marked:
        return marked
    answering = set(source.answer_session_ids)
    return tuple(
        turn.turn_id
        for source_id, session in zip(source.haystack_session_ids, sessions, strict=True)
        if source_id in answering
        for turn in session.turns
    )


def _unique(session_ids: Sequence[str]) -> Iterator[str]:
    taken = set(session_ids)
    seen: Counter[str] = Counter()
    for session_id in session_ids:
        seen[session_id] += 1
        name = session_id
        while seen[session_id] > 1 and (name := f"{session_id}#{seen[session_id]}") in taken:
            seen[session_id] += 1  # the source itself uses this id
        taken.add(name)
        yield name


def _time(path: Path, record: str, field: str, text: str) -> int:
    try:
        return parse_longmemeval_time(text)
    except ValueError as error:
        raise BundleError(path, record, field, str(error)) from None


def _record_name(number: int, item: object) -> str:
    name = item.get("question_id") if isinstance(item, dict) else None
    return f"record {number} ({name})" if isinstance(name, str) else f"record {number}"
