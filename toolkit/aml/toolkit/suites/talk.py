"""The lines of a scenario's `talk`: turns with their speaker, labels, and hooks for small talk."""

import re
from typing import Final

from .scenario import Hook, Line

_TURN: Final = re.compile(r"(?P<speaker>[UA])(?:\[(?P<label>[a-z0-9_]+)\])?:\s*(?P<text>\S.*)")
_HOOK: Final = re.compile(r"~(?P<exchanges>\d{1,3})")


class TalkUnreadable(Exception):
    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line} is neither `U: …`, `A: …` (with a label in brackets) nor `~N`: {text[:60]!r}")
        self.line = line
        self.text = text


def read_talk(talk: str) -> tuple[Line | Hook, ...]:
    """Blank lines are skipped. Raises `TalkUnreadable`, whose `line` counts from 1."""
    parts: list[Line | Hook] = []
    for number, raw in enumerate(talk.splitlines(), start=1):
        text = raw.strip()
        if not text:
            continue
        if (hook := _HOOK.fullmatch(text)) is not None:
            parts.append(Hook(int(hook["exchanges"])))
        elif (turn := _TURN.fullmatch(text)) is not None:
            parts.append(Line("user" if turn["speaker"] == "U" else "assistant", turn["text"], turn["label"]))
        else:
            raise TalkUnreadable(number, text)
    return tuple(parts)
