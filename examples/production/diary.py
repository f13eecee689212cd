"""The agent that the two applications serve. Each user has a diary; the health check gets diaries of its own."""

import re
from collections import defaultdict

WORD = re.compile(r"\w+")


class Diary:
    """What one user told. It answers with the entry that shares most words with the question."""

    def __init__(self) -> None:
        self.entries: list[str] = []

    def reset_session(self) -> None:
        """A diary remembers over sessions: there is nothing to forget here."""

    def ask(self, message: str) -> str:
        if not message.rstrip().endswith("?"):
            self.entries.append(message)
            return "Noted."
        asked = set(WORD.findall(message.lower()))
        best = max(self.entries, key=lambda entry: len(asked & set(WORD.findall(entry.lower()))), default="")
        return best or "I do not know."


DIARIES: defaultdict[str, Diary] = defaultdict(Diary)
"""By user."""
