"""How a history and a question are put before an agent: in one text, or turn by turn. The words are ours."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from types import MappingProxyType
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from .agent import HistoryTurn


class HistoryForm(Protocol):
    """`asked_at` and the turns' times are None where they are not to be told."""

    def blob(self, turns: Sequence[HistoryTurn], question: str, asked_at: datetime | None) -> str: ...

    def chat(self, turns: Sequence[HistoryTurn]) -> tuple[HistoryTurn, ...]: ...

    def question(self, question: str, asked_at: datetime | None) -> str: ...


class _Words(Struct, frozen=True):
    opening: str
    session: str
    dated: str
    user: str
    assistant: str
    today: str
    ask: str


_WORDS: Final[Mapping[str, _Words]] = MappingProxyType(
    {
        "en": _Words(
            opening="Below are our conversations so far, the oldest first.",
            session="Session {number}",
            dated="Session {number}, {date}",
            user="User: {text}",
            assistant="Assistant: {text}",
            today="(Today is {date}.) {text}",
            ask="Using only what was said there, answer this: {text}",
        ),
        "zh": _Words(
            opening="以下是我们到目前为止的对话，按时间先后排列。",
            session="第 {number} 次会话",
            dated="第 {number} 次会话，{date}",
            user="用户：{text}",
            assistant="助手：{text}",
            today="（今天是 {date}。）{text}",
            ask="请只根据上面说过的内容回答：{text}",
        ),
    }
)


class PlainHistory(Struct, frozen=True, kw_only=True):
    """Sessions under headings. With `dates` their days, and the day of asking, stand in the text."""

    language: str = "en"
    dates: bool = True

    def blob(self, turns: Sequence[HistoryTurn], question: str, asked_at: datetime | None) -> str:
        words = self._words
        parts = [words.opening]
        for number, (_, session) in enumerate(groupby(turns, key=lambda turn: turn.session), start=1):
            told = list(session)
            date = self._date(told[0].at)
            heading = words.session if date is None else words.dated
            lines = [heading.format(number=number, date=date)]
            lines += [
                (words.user if turn.role == "user" else words.assistant).format(text=turn.content) for turn in told
            ]
            parts.append("\n".join(lines))
        parts.append(words.ask.format(text=self.question(question, asked_at)))
        return "\n\n".join(parts)

    def chat(self, turns: Sequence[HistoryTurn]) -> tuple[HistoryTurn, ...]:
        """Each session's first turn is told with its day."""
        told: list[HistoryTurn] = []
        for turn in turns:
            date = self._date(turn.at) if not told or told[-1].session != turn.session else None
            told.append(turn if date is None else replace(turn, content=f"[{date}] {turn.content}"))
        return tuple(told)

    def question(self, question: str, asked_at: datetime | None) -> str:
        date = self._date(asked_at)
        return question if date is None else self._words.today.format(date=date, text=question)

    @property
    def _words(self) -> _Words:
        return _WORDS.get(self.language, _WORDS["en"])

    def _date(self, at: datetime | None) -> str | None:
        return f"{at:%Y-%m-%d}" if self.dates and at is not None else None
