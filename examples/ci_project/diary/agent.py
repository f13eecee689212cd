"""The agent under test. It calls no model: it answers with the two entries that share the rarest words with the question."""

import math
import re
from collections import Counter

from contracts.entries import Entry

NOTHING = "I do not know; you have not told me."
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"[a-z0-9]+")


class DiaryAgent:
    """`ask` is all that an evaluation needs; with the two other methods it is given whole histories."""

    name = "diary"

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def reset_session(self) -> None:
        self.entries = []

    def inject_history(self, turns) -> None:
        self.entries = [
            Entry(at=turn.at, text=sentence)
            for turn in turns
            if turn.role == "user"
            for sentence in _SENTENCE.split(turn.content)
            if not sentence.endswith("?")
        ]

    def ask(self, message: str) -> str:
        asked = words(message)
        rarity = Counter(word for entry in self.entries for word in words(entry.text))
        scored = [
            (sum(1 / math.log2(1 + rarity[word]) for word in words(entry.text) & asked), position)
            for position, entry in enumerate(self.entries)
        ]
        best = sorted((each for each in scored if each[0] >= 1.0), reverse=True)[:2]
        return " ".join(self.entries[position].text for _, position in best) or NOTHING


def words(text: str) -> set[str]:
    """Short ones say little, unless they are numbers."""
    return {word for word in _WORD.findall(text.lower()) if len(word) > 3 or word.isdecimal()}
