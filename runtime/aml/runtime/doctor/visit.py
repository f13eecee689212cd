"""One visit to a participant: who is visited, the calls that are made, and how they are shown."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from aml.contracts.participant import AddRequest, Content, Memory, Message, ParticipantTarget, SearchRequest, TextPart
from aml.contracts.vocabulary import Track
from aml.runtime.participant.client import ParticipantClient
from aml.runtime.participant.errors import ParticipantError
from aml.runtime.secret import Secret

from .phrases import Told, told

T = TypeVar("T")

SHOWN_CHARS: Final = 280
BEAT: Final = 1_683_504_000_000
"""Unix milliseconds of the doctor's timestamps: a day in May 2023, when nothing was written by anybody's clock."""

Key = Literal["right", "wrong", "none"]
Connect = Callable[[ParticipantTarget, Secret | None], ParticipantClient]
"""A client for a target with a key; the doctor closes it."""


class Subject(Struct, frozen=True, kw_only=True):
    target: ParticipantTarget
    secret: Secret | None
    track: Track = "textual"
    top_k: int = 100
    add_concurrency: int = 8
    search_concurrency: int = 32
    restart: Callable[[], Awaitable[None]] | None = None
    """Ends the participant and starts it again. Raises `RestartFailed`."""


class RestartFailed(Exception):
    """The restart command could not do its work; says nothing about the participant."""


class Call(Struct, frozen=True, kw_only=True):
    sent: str
    received: str
    latency_us: int | None = None
    attempts: int = 1
    memories: tuple[Memory, ...] = ()

    def holds(self, name: str) -> bool:
        return any(name.casefold() in text_of(memory.content).casefold() for memory in self.memories)


class Visit:
    """Ids are `eval:doctor-<run>:…`. `calls`, `last` and `failing` are of the check that is under way."""

    def __init__(self, subject: Subject, connect: Connect, run: str) -> None:
        self.subject = subject
        self.run = run
        self.calls = 0
        self.last: Call | None = None
        self.failing: Call | None = None
        self.alone: dict[str, list[int]] = {"add": [], "search": []}
        """Microseconds of the calls that nothing else ran beside."""
        self.written: list[str] = []
        """The names of all facts that were told."""
        self._connect = connect
        self._clients: dict[Key, ParticipantClient] = {}
        self._in_flight = 0

    def begin_check(self) -> None:
        self.calls, self.last, self.failing = 0, None, None

    def user(self, name: str) -> str:
        return f"eval:doctor-{self.run}:contract:{name}"

    def told(self, key: str, number: int = 0) -> Told:
        fact = told(self.run, key, number)
        self.written.append(fact.name)
        return fact

    async def add(
        self,
        user: str,
        *contents: Content,
        request_id: str | None = None,
        session_id: str | None = None,
        timestamps: Iterable[int | UnsetType] | None = None,
        key: Key = "right",
    ) -> Call:
        """`user` is a whole user id. Raises `ParticipantError`."""
        times = [BEAT + 60_000 * place for place in range(len(contents))] if timestamps is None else timestamps
        request = AddRequest(
            request_id=request_id or f"{user}:chunk-0",
            messages=tuple(
                Message(role="user", content=content, timestamp=time)
                for content, time in zip(contents, times, strict=True)
            ),
            user_id=user,
            session_id=session_id or f"{user}:session-1",
        )
        body = msgspec.json.encode(request)
        sent = self._sent("Add", body, key)
        outcome = await self._recorded("add", sent, self._client(key).add(request))
        return self._done(
            Call(
                sent=sent,
                received=f"{outcome.status}, success and the three ids",
                latency_us=outcome.latency_us,
                attempts=outcome.calls,
            )
        )

    async def search(
        self,
        user: str,
        query: Content,
        *,
        top_k: int | None = None,
        options: tuple[str, ...] | UnsetType = UNSET,
        key: Key = "right",
    ) -> Call:
        """Raises `ParticipantError`."""
        request = SearchRequest(query=query, options=options, user_id=user, top_k=top_k or self.subject.top_k)
        sent = self._sent("Search", msgspec.json.encode(request), key)
        outcome = await self._recorded("search", sent, self._client(key).search(request))
        return self._done(
            Call(
                sent=sent,
                received=self.shown(_listed(outcome.memories)),
                latency_us=outcome.latency_us,
                attempts=outcome.calls,
                memories=outcome.memories,
            )
        )

    async def health(self) -> Call:
        """Raises `ParticipantError`."""
        sent = f"Health: GET {self.subject.target.health_url}, without a key"
        outcome = await self._recorded("health", sent, self._client("right").health())
        return self._done(Call(sent=sent, received=str(outcome.status), latency_us=outcome.latency_us))

    def shown(self, text: str, limit: int = SHOWN_CHARS) -> str:
        """One bounded, printable line without the key; the key goes before the cut, so that no half of it stays."""
        if self.subject.secret is not None:
            text = self.subject.secret.redact(text)
        cut = text if len(text) <= limit else f"{text[: limit - 1]}…"
        return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in cut)

    async def close(self) -> None:
        for client in self._clients.values():
            await client.close()

    def _client(self, key: Key) -> ParticipantClient:
        if key not in self._clients:
            target, secret = self.subject.target, self.subject.secret
            if key == "wrong":
                secret = Secret(f"not-the-key-{self.run}")
            elif key == "none":
                target, secret = msgspec.structs.replace(target, auth="none", secret_id=None), None
            self._clients[key] = self._connect(target, secret)
        return self._clients[key]

    async def _recorded(self, kind: str, sent: str, call: Awaitable[T]) -> T:
        self.calls += 1
        alone = self._in_flight == 0
        self._in_flight += 1
        try:
            outcome = await call
        except ParticipantError as error:
            self.failing = self.failing or Call(sent=sent, received=self._received(error))
            raise
        finally:
            alone = alone and self._in_flight == 1
            self._in_flight -= 1
        latency = getattr(outcome, "latency_us", None)
        if alone and kind in self.alone and latency is not None:
            self.alone[kind].append(latency)
        return outcome

    def _done(self, call: Call) -> Call:
        self.last = call
        return call

    def _sent(self, name: str, body: bytes, key: Key) -> str:
        with_key = {"right": "", "wrong": " with a wrong key", "none": " without a key"}[key]
        size = f" ({len(body):,} bytes)" if len(body) > SHOWN_CHARS else ""
        return f"{name}{with_key}{size}: {self.shown(body.decode())}"

    def _received(self, error: ParticipantError) -> str:
        if error.status is None:
            return "no response"
        return self.shown(f"{error.status}: {error.excerpt}" if error.excerpt else f"{error.status}, no body")


async def together(calls: Iterable[Awaitable[T]]) -> list[T]:
    """All at once. Raises the first failure when all have ended, so that none runs on behind it."""
    good: list[T] = []
    for result in await asyncio.gather(*calls, return_exceptions=True):
        if isinstance(result, BaseException):
            raise result
        good.append(result)
    return good


def text_of(content: Content) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.text for part in content if isinstance(part, TextPart))


def _listed(memories: tuple[Memory, ...]) -> str:
    if not memories:
        return "200, data is empty"
    return f"200, {len(memories)} item(s): " + " | ".join(text_of(memory.content)[:80] for memory in memories[:8])
