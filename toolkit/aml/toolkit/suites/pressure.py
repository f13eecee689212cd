"""Context pressure: small talk laid around a scenario until its history is as long as the suite says.

The talk of one suite is made and counted once, and each scenario takes its share of it from another place on. So a suite of
many long histories needs the memory, and the time for counting, of one.
"""

from collections.abc import Sequence
from typing import Final

from aml.contracts.envelope import Millis
from aml.contracts.vocabulary import Language
from aml.ingest.benchmarks.practice.seeded import Seeded
from aml.judge.answerers.tokenizer import TokenCount, token_counter

from .small_talk import Exchange, SmallTalk
from .staging import Staged, StagedSession, room_between, spread

TOKENIZER: Final = "cl100k_base"
DAY_MILLIS: Final = 86_400_000
LEAD_DAYS: Final = 60
"""Talk before the first session begins this long before it."""


class Pressure:
    """Raises `UnknownTokenizer` where the vocabulary is not installed."""

    def __init__(self, tokens: int, language: Language, seeded: Seeded) -> None:
        self._tokens = tokens
        self._count: TokenCount = token_counter(TOKENIZER)
        self._exchanges: list[Exchange] = []
        self._sizes: list[int] = []
        small_talk = SmallTalk(language, seeded.at("talk"), long_replies=True)
        made = 0
        while made < tokens:
            exchange = small_talk.exchange()
            size = sum(self._count(line.text) for line in exchange)
            self._exchanges.append(exchange)
            self._sizes.append(size)
            made += size

    def around(self, staged: Staged, seeded: Seeded, *, before_only: bool) -> Staged:
        """`staged` with talk before, between and after its sessions, none of which is moved.

        `before_only` leaves what follows the first session as it is: the depth of a reach-back is counted there.
        """
        taken = self._take(self._tokens - self.tokens_of(staged), seeded)
        own = staged.sessions
        gaps = [(own[0].at - LEAD_DAYS * DAY_MILLIS, own[0].at)]
        if not before_only:
            ends = [*(session.at for session in own[1:]), staged.asked_at]
            gaps += [(session.end, end) for session, end in zip(own, ends, strict=True)]
        sessions: list[StagedSession] = []
        used = 0
        for number, ((after, before), amount) in enumerate(zip(gaps, _shares(len(taken), gaps), strict=True)):
            if amount:
                sessions += spread(taken[used : used + amount], after, before)
                used += amount
            sessions += own[number : number + 1]
        return Staged((*sessions, *own[len(gaps) :]), staged.asked_at)

    def tokens_of(self, staged: Staged) -> int:
        return sum(self._count(line.text) for session in staged.sessions for line in session.lines)

    def _take(self, tokens: int, seeded: Seeded) -> list[Exchange]:
        """From a place that the seed chooses on, round the end if need be, and not more than `tokens`."""
        taken: list[Exchange] = []
        start = seeded.below(len(self._exchanges))
        for step in range(len(self._exchanges)):
            at = (start + step) % len(self._exchanges)
            if self._sizes[at] > tokens:
                break
            tokens -= self._sizes[at]
            taken.append(self._exchanges[at])
        return taken


def _shares(exchanges: int, gaps: Sequence[tuple[Millis, Millis]]) -> list[int]:
    """The same for each gap; what a gap has no room for comes before the first session, where there is always some."""
    rest = [min(exchanges // len(gaps), room_between(after, before)) for after, before in gaps[1:]]
    return [exchanges - sum(rest), *rest]
