"""Reads a judge's reply. Either it holds a verdict, or it holds none; nothing is guessed.

"INCORRECT" contains "CORRECT", and "not correct" contains the word: so a verdict counts only as the value of a JSON field,
or as a line that consists of nothing else.
"""

import json
import re
from typing import Any

from msgspec import Struct

_WORDS = {"correct": True, "incorrect": False, "wrong": False, "right": True, "yes": True, "no": False}
_FIELDS = ("verdict", "label")
_LINE = re.compile(r"^(?:(?:final |my )?(?:verdict|label|answer)\s*[:=-]\s*)?(?P<word>[a-z]+)$")
_DECORATION = " \t\r*_`\"'.#>!。"


class ParsedVerdict(Struct, frozen=True, kw_only=True):
    correct: bool
    reason: str


class _Pairs(list[tuple[str, Any]]):
    """A JSON object with its repeated names still visible: a reply that says both is a reply that says neither."""


_decoder = json.JSONDecoder(object_pairs_hook=_Pairs)


def parse_verdict(reply: str) -> ParsedVerdict | None:
    """None where the reply is unreadable or contradicts itself: the question is then unscored, never wrong."""
    if "{" in reply:
        return _agreed([verdict for item in _objects_in(reply) for verdict in _verdicts_of(item)])
    lines = [line for raw in reply.splitlines() if (line := raw.strip(_DECORATION).lower())]
    words = [match["word"] for line in lines if (match := _LINE.match(line)) and match["word"] in _WORDS]
    return _agreed([ParsedVerdict(correct=_WORDS[word], reason="") for word in words])


def _agreed(verdicts: list[ParsedVerdict | None]) -> ParsedVerdict | None:
    """All must be readable and say the same."""
    readable = [verdict for verdict in verdicts if verdict is not None]
    if not readable or len(readable) < len(verdicts) or len({verdict.correct for verdict in readable}) > 1:
        return None
    return readable[0]


def _verdicts_of(item: _Pairs) -> list[ParsedVerdict | None]:
    """One for each field that should hold a verdict; None for a value that is none ("partly correct")."""
    reason = next((value for name, value in item if name == "reason" and isinstance(value, str)), "")
    found: list[ParsedVerdict | None] = []
    for name, value in item:
        if name.lower() in _FIELDS:
            correct = _WORDS.get(value.strip().lower()) if isinstance(value, str) else None
            found.append(None if correct is None else ParsedVerdict(correct=correct, reason=reason))
    return found


def _objects_in(reply: str) -> list[_Pairs]:
    """Every JSON object in the text, so that code fences and words around it do no harm; none if any brace opens no object.

    A cut-off reply may quote a verdict out of the answer that it was about to reject.
    """
    found: list[_Pairs] = []
    at = reply.find("{")
    while at >= 0:
        try:
            value, end = _decoder.raw_decode(reply, at)
        except (json.JSONDecodeError, RecursionError):
            return []
        if isinstance(value, _Pairs):
            found.append(value)
        at = reply.find("{", end)
    return found
