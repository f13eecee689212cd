"""LoCoMo from its official file, `locomo10.json` (snap-research/LoCoMo, CC BY-NC 4.0).

The source's irregularities and what becomes of each:
- evidence: several ids in one string are split, `D:11:26` and `D30:05` are read as `D11:26` and `D30:5`; what is no id (`D`)
  or names no turn of the conversation is dropped;
- answers that are numbers become their text;
- category 5 asks for something that was never said: the gold is abstention and accepts no answer. The adversarial answer is
  the trap itself and is never read; two questions carry an `answer` beside it, which official scoring ignores, as here;
- a session's date without the session is ignored; a session without a date is an error;
- questions repeat, so a question's id is its position: `conv-26-q0`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from aml.contracts.benchmark import Gold, Question, Sample, Session, Turn
from aml.contracts.vocabulary import Capability

from .dates import parse_locomo_time
from .errors import BundleError
from .json_records import convert_record, stream_array

CATEGORIES: Final[dict[int, tuple[str, Capability]]] = {
    1: ("multi_hop", "multi_hop"),
    2: ("temporal", "temporal"),
    3: ("open_domain", "open_domain"),
    4: ("single_hop", "fact_recall"),
    5: ("adversarial", "abstention"),
}
"""The file's numbers do not follow the paper's order."""

ADVERSARIAL: Final = 5

_SESSION = re.compile(r"^session_([1-9]\d*)$")
_EVIDENCE = re.compile(r"D:?0*(\d+):0*(\d+)")


class _SourceTurn(Struct):
    speaker: str
    dia_id: str
    text: str
    blip_caption: str | None = None


class _SourceQuestion(Struct):
    question: str
    category: int
    evidence: tuple[str, ...]
    answer: str | int | float | None = None


class _SourceSample(Struct):
    sample_id: str
    conversation: dict[str, Any]
    qa: tuple[_SourceQuestion, ...]


def read_locomo(path: Path) -> Iterator[Sample]:
    """Raises `BundleError` naming file, record and field."""
    for number, item in stream_array(path):
        source = convert_record(path, _record_name(number, item), item, _SourceSample)
        yield _sample(path, f"record {number} ({source.sample_id})", source)


def _sample(path: Path, record: str, source: _SourceSample) -> Sample:
    sessions = _sessions(path, record, source.conversation)
    turn_ids = {turn.turn_id for session in sessions for turn in session.turns}
    questions: list[Question] = []
    gold: list[Gold] = []
    for index, asked in enumerate(source.qa):
        question_id = f"{source.sample_id}-q{index}"
        if asked.category not in CATEGORIES:
            raise BundleError(path, record, f"qa[{index}].category", f"is {asked.category}, not one of 1 to 5")
        category, capability = CATEGORIES[asked.category]
        abstention = asked.category == ADVERSARIAL
        if not abstention and asked.answer is None:
            raise BundleError(path, record, f"qa[{index}].answer", "is missing")
        questions.append(
            Question(
                question_id=question_id,
                text=asked.question,
                question_type=f"locomo_{category}",
                category=category,
                capability=capability,
                in_overall=not abstention,
            )
        )
        gold.append(
            Gold(
                question_id=question_id,
                answers=() if abstention else (str(asked.answer),),
                abstention=abstention,
                evidence=_evidence(asked.evidence, turn_ids),
            )
        )
    return Sample(sample_id=source.sample_id, sessions=sessions, questions=tuple(questions), gold=tuple(gold))


def _sessions(path: Path, record: str, conversation: dict[str, Any]) -> tuple[Session, ...]:
    roles = {
        _text(path, record, conversation, "speaker_a"): "user",
        _text(path, record, conversation, "speaker_b"): "assistant",
    }
    numbers = sorted(int(match[1]) for key in conversation if (match := _SESSION.match(key)))
    return tuple(_session(path, record, conversation, number, roles) for number in numbers)


def _session(path: Path, record: str, conversation: dict[str, Any], number: int, roles: dict[str, str]) -> Session:
    key = f"session_{number}"
    within = f"conversation.{key}"
    try:
        started = parse_locomo_time(_text(path, record, conversation, f"{key}_date_time"))
    except ValueError as error:
        raise BundleError(path, record, f"{within}_date_time", str(error)) from None
    turns: list[Turn] = []
    for index, said in enumerate(
        convert_record(path, record, conversation[key], tuple[_SourceTurn, ...], within=within)
    ):
        if said.speaker not in roles:
            raise BundleError(path, record, f"{within}[{index}].speaker", f"{said.speaker!r} is neither speaker")
        turns.append(
            Turn(
                turn_id=said.dia_id,
                role=roles[said.speaker],
                content=_content(said),
                timestamp=started + index * 1000,
            )
        )
    return Session(session_id=key, turns=tuple(turns))


def _content(said: _SourceTurn) -> str:
    """The speaker is in the text, because a role alone does not say who talks about themselves."""
    if said.blip_caption:
        return f"{said.speaker}: {said.text} [photo shared by {said.speaker}: {said.blip_caption}]"
    return f"{said.speaker}: {said.text}"


def _evidence(values: tuple[str, ...], turn_ids: set[str]) -> tuple[str, ...]:
    found = (f"D{session}:{turn}" for value in values for session, turn in _EVIDENCE.findall(value))
    return tuple(dict.fromkeys(turn_id for turn_id in found if turn_id in turn_ids))


def _text(path: Path, record: str, conversation: dict[str, Any], key: str) -> str:
    if key not in conversation:
        raise BundleError(path, record, f"conversation.{key}", "is missing")
    return convert_record(path, record, conversation[key], str, within=f"conversation.{key}")


def _record_name(number: int, item: object) -> str:
    name = item.get("sample_id") if isinstance(item, dict) else None
    return f"record {number} ({name})" if isinstance(name, str) else f"record {number}"
