"""What goes to a chat model and what comes back."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct


class ChatMessage(Struct, frozen=True, kw_only=True):
    role: Literal["system", "user"]
    content: str


class Completion(Struct, frozen=True, kw_only=True):
    """One usable reply. `primary_calls` is 1; `retry_calls` are the attempts before it that gave nothing."""

    text: str
    model: str
    """As the endpoint names it, which may be finer than what was asked for."""
    system_fingerprint: str | None
    prompt_tokens: int
    """As the endpoint reports it; 0 where it reports nothing."""
    completion_tokens: int
    finish_reason: str | None
    primary_calls: int
    retry_calls: int


class ChatModel(Protocol):
    async def complete(self, messages: Sequence[ChatMessage], *, seed_step: int = 0) -> Completion:
        """Raises `aml.judge.errors.ModelCallError`.

        `seed_step` is added to the release's seed: the same request with the same seed would only bring the same unreadable
        reply again.
        """
        ...
