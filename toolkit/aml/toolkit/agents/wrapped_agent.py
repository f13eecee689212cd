"""A callable or an object of the user's, sync or async, as an `Agent`. What it can do is read from its methods."""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, Final, get_args

from .agent import Ability, Agent, HistoryTurn, SamplingOutcome
from .errors import AgentFailed, NotAnAgent
from .own_thread import OwnThread

Make = Callable[[], Any]
_METHODS: Final[tuple[Ability, ...]] = ("inject_history", "reset_session", "forget", "fork", "set_sampling")
_OUTCOMES: Final = get_args(SamplingOutcome)


class WrappedAgent(Agent):
    """`make` makes another one with an empty memory. Raises `NotAnAgent`."""

    def __init__(
        self,
        given: Any,
        *,
        name: str | None = None,
        model: str | None = None,
        max_concurrency: int | None = None,
        make: Make | None = None,
    ) -> None:
        self._given = given
        self._make = make
        self._ask, self._takes = _ask_of(given)
        self.name = name or _name_of(given)
        self.model = model if model is not None else _text(given, "model")
        self.abilities = self._abilities_of(given)
        self.max_concurrency = self._concurrency(max_concurrency)
        self._thread = OwnThread(self.name)
        self._history: tuple[HistoryTurn, ...] = ()

    async def ask(self, message: str, *, at: datetime | None = None) -> str | None:
        named: dict[str, Any] = {}
        if "at" in self._takes:
            named["at"] = at
        if "history" in self._takes:
            named["history"] = self._history
        answer = await self._call(self._ask, message, **named)
        if answer is None or isinstance(answer, str):
            return answer
        raise AgentFailed(f"the agent answered with {type(answer).__name__!r}; an answer is a text, or None")

    async def reset_session(self) -> None:
        self._history = ()
        if hasattr(self._given, "reset_session"):
            await self._call(self._given.reset_session)

    async def inject_history(self, turns: Sequence[HistoryTurn]) -> None:
        if "history" in self._takes:
            self._history = tuple(turns)
        else:
            await self._call(self._given.inject_history, tuple(turns))

    async def forget(self) -> None:
        await self._call(self._given.forget)

    def fork(self) -> Agent:
        make = self._make or self._given.fork
        return WrappedAgent(
            make(), name=self.name, model=self.model, max_concurrency=self.max_concurrency, make=self._make
        )

    async def set_sampling(self, temperature: float | None, seed: int | None) -> SamplingOutcome:
        """The method's own word for what became of it; False for declined; anything else for sent, and not looked after."""
        said = await self._call(self._given.set_sampling, temperature, seed)
        outcome: SamplingOutcome = said if said in _OUTCOMES else "sent_unverified"
        return "declined" if said is False else outcome

    async def aclose(self) -> None:
        self._thread.close()

    async def _call(self, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        if _is_async(function):
            return await function(*given, **named)
        result = await self._thread.call(function, *given, **named)
        return await result if isinstance(result, Awaitable) else result

    def _abilities_of(self, given: Any) -> frozenset[Ability]:
        found: set[Ability] = {name for name in _METHODS if callable(getattr(given, name, None))}
        if self._make is not None:
            found.add("fork")
        if "history" in self._takes:
            found |= {"inject_history", "reset_session"}
        if "at" in self._takes or getattr(given, "supports_timestamps", False) is True:
            found.add("timestamps")
        return frozenset(found)

    def _concurrency(self, wanted: int | None) -> int:
        """A bare callable that says it may be called at once keeps nothing; an object must be forkable for that."""
        declared = getattr(self._given, "max_concurrency", 1) if wanted is None else wanted
        if not isinstance(declared, int) or declared < 1:
            raise NotAnAgent(self._given, f"max_concurrency is {declared!r} and not a number from 1 on")
        if declared == 1 or "fork" in self.abilities:
            return declared
        if not self.abilities & {"inject_history", "reset_session", "forget"}:
            self.abilities |= {"stateless"}
            return declared
        problem = f"max_concurrency is {declared}, but it holds one conversation; give it fork(), or an AgentFactory"
        raise NotAnAgent(self._given, problem)


def _ask_of(given: Any) -> tuple[Callable[..., Any], frozenset[str]]:
    ask = getattr(given, "ask", None)
    if not callable(ask):
        ask = given
    if not callable(ask) or isinstance(ask, type):
        raise NotAnAgent(given, "it has no ask(message) and cannot be called")
    try:
        parameters = inspect.signature(ask).parameters
    except (TypeError, ValueError):  # a callable of C has no signature to read
        return ask, frozenset()
    kinds = [each.kind for each in parameters.values()]
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if inspect.Parameter.VAR_POSITIONAL not in kinds and not any(kind in positional for kind in kinds):
        raise NotAnAgent(given, "what is asked takes no message")
    takes = frozenset(name for name in ("at", "history") if name in list(parameters)[1:])
    needed = [
        name
        for name, each in list(parameters.items())[1:]
        if each.default is each.empty and each.kind in (*positional, each.KEYWORD_ONLY) and name not in takes
    ]
    if needed:
        raise NotAnAgent(given, f"what is asked needs {', '.join(needed)} beside the message")
    return ask, takes


def _is_async(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004


def _name_of(given: Any) -> str:
    own = _text(given, "name") or getattr(given, "__name__", None)
    return own if isinstance(own, str) and own.strip("<>") == own else type(given).__name__


def _text(given: Any, field: str) -> str | None:
    value = getattr(given, field, None)
    return value if isinstance(value, str) and value.strip() else None
