"""A file in LongMemEval's schema, of our own words: each question's answer stands in one session of its haystack."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TYPES = (
    "single-session-user",
    "single-session-assistant",
    "single-session-preference",
    "multi-session",
    "temporal-reasoning",
    "knowledge-update",
)
PETS = ("heron", "otter", "badger", "lynx", "marten", "raven", "stoat", "vole", "gecko", "finch")


def a_record(
    number: int, question_type: str = TYPES[0], *, abstention: bool = False, sessions: int = 4, evidence: int = 1
) -> dict[str, Any]:
    pet = PETS[number % len(PETS)]
    ids = [f"s{number}-{position}" for position in range(sessions)]
    answering = ids[1 : 1 + evidence]
    haystack = []
    for position, session_id in enumerate(ids):
        if session_id in answering:
            name = "" if abstention else f" called Juniper{number}"
            told = f"By the way, my neighbour keeps a {pet}{name}."
        else:
            told = f"Tell me about bridge number {number * 100 + position}."
        haystack.append(
            [
                {"role": "user", "content": told, **({"has_answer": True} if session_id in answering else {})},
                {"role": "assistant", "content": f"Gladly, concerning matter {position} of {number}."},
            ]
        )
    return {
        "question_id": f"q{number:03}" + ("_abs" if abstention else ""),
        "question_type": question_type,
        "question": f"What is the {pet} called, for reader {number}?",
        "answer": "never said" if abstention else f"Juniper{number}",
        "question_date": "2023/06/30 (Fri) 09:00",
        "haystack_session_ids": ids,
        "haystack_dates": [
            f"2023/{position // 28 + 1:02}/{position % 28 + 1:02} (Mon) 10:00" for position in range(sessions)
        ],
        "haystack_sessions": haystack,
        "answer_session_ids": answering,
    }


def a_dataset(path: Path, records: Sequence[dict[str, Any]] | None = None) -> Path:
    """30 questions, five of each type and one of these an abstention, unless others are given."""
    if records is None:
        records = [a_record(number, TYPES[number % 6], abstention=number >= 24) for number in range(30)]
    path.write_text(json.dumps(records))
    return path
