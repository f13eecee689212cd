"""A model behind an OpenAI-compatible chat endpoint, as an agent that knows what stands in its context and nothing else."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import httpx

from .agent import Agent, HistoryTurn, SamplingOutcome
from .errors import AgentFailed

DEFAULT_INSTRUCTIONS: Final = (
    "You are an assistant who has talked with this user before. Answer from what was said in those conversations. "
    "Where it was not said, say that you do not know. Be brief."
)


class OpenAIChatAgent(Agent):
    """`base_url` ends in front of `/chat/completions`. What the endpoint refuses, such as a history beyond its context,
    leaves the question unscored. `instructions` are ours unless given; None sends none.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        instructions: str | None = DEFAULT_INSTRUCTIONS,
        max_tokens: int | None = None,
        timeout_seconds: float = 120.0,
        max_concurrency: int = 8,
        name: str | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self.name = name or model
        self.model = model
        self.max_concurrency = max_concurrency
        self.abilities = frozenset({"inject_history", "reset_session", "forget", "fork", "set_sampling"})
        self.system_fingerprints: set[str] = set()
        """Of the endpoint's replies; empty where it names none. Shared with the forks."""
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._key = api_key
        self._instructions = instructions
        self._max_tokens = max_tokens
        self._timeout = timeout_seconds
        self._owner = http is None
        self._http = http
        self._sampling: dict[str, float | int] = {}
        self._session: list[dict[str, str]] = []

    async def ask(self, message: str, *, at: datetime | None = None) -> str | None:
        """Raises `AgentFailed`; a failed message leaves no trace in the session."""
        del at
        told = [*self._session, {"role": "user", "content": message}]
        answer = await self._complete(told)
        self._session = [*told, {"role": "assistant", "content": answer}]
        return answer

    async def reset_session(self) -> None:
        self._session = []

    async def inject_history(self, turns: Sequence[HistoryTurn]) -> None:
        self._session = [{"role": turn.role, "content": turn.content} for turn in turns]

    async def forget(self) -> None:
        self._session = []

    def fork(self) -> "OpenAIChatAgent":
        fork = OpenAIChatAgent(
            self._url.removesuffix("/chat/completions"),
            self.model or "",
            api_key=self._key,
            instructions=self._instructions,
            max_tokens=self._max_tokens,
            timeout_seconds=self._timeout,
            max_concurrency=self.max_concurrency,
            name=self.name,
            http=self._client(),
        )
        fork._sampling = dict(self._sampling)
        fork.system_fingerprints = self.system_fingerprints
        return fork

    async def set_sampling(self, temperature: float | None, seed: int | None) -> SamplingOutcome:
        """Sent with each call. The protocol echoes neither, so nobody can see whether the endpoint heeds them."""
        asked = {"temperature": temperature, "seed": seed}
        self._sampling = {name: value for name, value in asked.items() if value is not None}
        return "sent_unverified"

    async def aclose(self) -> None:
        if self._owner and self._http is not None:
            await self._http.aclose()
            self._http = None

    async def _complete(self, messages: list[dict[str, str]]) -> str:
        system = [{"role": "system", "content": self._instructions}] if self._instructions else []
        body: dict[str, Any] = {"model": self.model, "messages": [*system, *messages], **self._sampling}
        if self._max_tokens is not None:
            body["max_tokens"] = self._max_tokens
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        try:
            reply = await self._client().post(self._url, json=body, headers=headers)
        except httpx.HTTPError as error:
            raise AgentFailed(f"the model's endpoint failed ({error or type(error).__name__})") from None
        if not reply.is_success:
            raise AgentFailed(f"the model's endpoint answered {reply.status_code}")
        try:
            said = reply.json()
            content = said["choices"][0]["message"]["content"]
            fingerprint = said.get("system_fingerprint")
        except (ValueError, LookupError, TypeError, AttributeError):
            raise AgentFailed("the model's endpoint answered with something else than a completion") from None
        if isinstance(fingerprint, str) and fingerprint:
            self.system_fingerprints.add(fingerprint)
        if content is not None and not isinstance(content, str):
            raise AgentFailed("the model's endpoint answered with a completion whose content is no text")
        return content or ""

    def _client(self) -> httpx.AsyncClient:
        if self._http is None:
            self._http = httpx.AsyncClient(timeout=self._timeout, trust_env=False)
        return self._http
