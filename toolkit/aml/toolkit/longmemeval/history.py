"""LongMemEval's history before an agent: as one text, or turn by turn. The words are ours, and what of them stands in turns of
its own is public here, so that whoever looks into a memory can tell our scaffolding from the dataset.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby, pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from aml.toolkit.agents.agent import HistoryTurn

SESSION_MARKER_PREFIX: Final = "A new conversation begins here: number"
"""Begins the user's half of the pair of turns between two sessions, and the heading of a session in a text."""
SESSION_BOUNDARY_ACKNOWLEDGEMENT: Final = "Noted, this is a new conversation."
"""The assistant's half of that pair."""
UNPAIRED_USER_ACKNOWLEDGEMENT: Final = "I have taken note of this."
"""What the assistant says where the dataset has no reply to a user's turn."""

_OPENING: Final = "What follows is the record of earlier conversations between a user and you, in the order of time."
_ASKED: Final = "The user now asks: {question}\nAnswer from the record alone; where it does not tell, say so."
_ASKED_ON: Final = "It is now {date}. "
_ROLES: Final = {"user": "User", "assistant": "You"}


class LongMemEvalHistory(Struct, frozen=True, kw_only=True):
    """A `HistoryForm`. With `dates` the dates of sessions and of the question stand in the text; without, in no text of ours."""

    boundaries: bool = True
    dates: bool = True
    marker: str | None = None

    def blob(self, turns: Sequence[HistoryTurn], question: str, asked_at: datetime | None) -> str:
        parts = [_OPENING]
        for number, session in enumerate(_sessions(turns), start=1):
            lines = [self._heading(number, session[0].at)] if self.boundaries else []
            for turn in session:
                date = None if self.boundaries else self._date(turn.at)
                lines.append(
                    f"{'' if date is None else f'[{date}] '}{_ROLES.get(turn.role, turn.role)}: {turn.content}"
                )
            parts.append("\n".join(lines))
        between = "\n\n" if self.boundaries else "\n"
        record = between.join(parts[1:])
        return f"{parts[0]}\n\n{record}\n\n{_ASKED.format(question=self.question(question, asked_at))}"

    def chat(self, turns: Sequence[HistoryTurn]) -> tuple[HistoryTurn, ...]:
        return tuple(told for number, session in enumerate(_sessions(turns), 1) for told in self._told(number, session))

    def question(self, question: str, asked_at: datetime | None) -> str:
        date = self._date(asked_at)
        return question if date is None else _ASKED_ON.format(date=date) + question

    def is_synthetic(self, turn: HistoryTurn) -> bool:
        """Ours and not the dataset's, as far as its words tell."""
        if self.marker is not None:
            return turn.content.startswith(self.marker)
        if turn.role == "assistant":
            return turn.content in (SESSION_BOUNDARY_ACKNOWLEDGEMENT, UNPAIRED_USER_ACKNOWLEDGEMENT)
        return turn.content.startswith(SESSION_MARKER_PREFIX)

    def _told(self, number: int, session: Sequence[HistoryTurn]) -> Iterator[HistoryTurn]:
        first = session[0]
        if self.boundaries:
            yield replace(first, role="user", content=self._marked(self._heading(number, first.at)))
            yield replace(first, role="assistant", content=self._marked(SESSION_BOUNDARY_ACKNOWLEDGEMENT))
        elif (date := self._date(first.at)) is not None:
            session = [replace(first, content=f"[{date}] {first.content}"), *session[1:]]
        for turn, following in pairwise([*session, None]):
            if turn is None:
                continue
            yield turn
            if turn.role == "user" and (following is None or following.role == "user"):
                yield replace(turn, role="assistant", content=self._marked(UNPAIRED_USER_ACKNOWLEDGEMENT))

    def _heading(self, number: int, at: datetime | None) -> str:
        date = self._date(at)
        return f"{SESSION_MARKER_PREFIX} {number}" + ("" if date is None else f", of {date}")

    def _marked(self, text: str) -> str:
        return text if self.marker is None else f"{self.marker} {text}"

    def _date(self, at: datetime | None) -> str | None:
        return f"{at:%Y-%m-%d (%a) %H:%M}" if self.dates and at is not None else None


def _sessions(turns: Sequence[HistoryTurn]) -> list[list[HistoryTurn]]:
    return [list(session) for _, session in groupby(turns, key=lambda turn: turn.session)]
