"""A chat model behind an OpenAI-compatible endpoint, over the `openai` SDK.

The SDK's aiohttp transport with an undecoded response costs 0.4 ms of CPU a call, where its default `create` takes 1.4
(2 cores, 32 in flight). Its own retries are off: ours are counted, and rotate keys. The SDK is imported where a model is
made: a judge under the practice release never pays its 0.4 s and 30 MB.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Literal

from msgspec import Struct

from aml.contracts.release import ModelSettings
from aml.judge.errors import ModelCallError, ModelRefused, ModelReplyUnusable, ModelUnavailable
from aml.runtime.clock import Clock

from .attempt_policy import Fault, decide_next, fault_of_status
from .completion import ChatMessage, Completion
from .key_ring import RETIRED_MS, KeyRing
from .reply_reading import read_reply

_DETAIL_CHARACTERS = 300


class OpenAiEndpoint(Struct, frozen=True, kw_only=True):
    """Where the model is. Belongs to the operator; everything that can change a score is in the release."""

    base_url: str
    keys: tuple[str, ...]


class OpenAiModel:
    """One per process and role: its semaphore is the role's cap on calls in flight. Close it when done."""

    def __init__(
        self,
        endpoint: OpenAiEndpoint,
        settings: ModelSettings,
        role: Literal["model", "judge"],
        *,
        clock: Clock,
        jitter: Random,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        import httpx2  # noqa: PLC0415 - see above
        from openai import AsyncOpenAI, DefaultAioHttpClient  # noqa: PLC0415

        if settings.model is None:
            raise ValueError("the release names no model")
        self._model = settings.model
        self._settings = settings
        self._role: Literal["model", "judge"] = role
        self._keys = KeyRing(endpoint.keys)
        self._slots = asyncio.Semaphore(settings.concurrency)
        self._clock = clock
        self._jitter = jitter
        self._sleep = sleep
        self._client = AsyncOpenAI(
            base_url=endpoint.base_url,
            api_key="given with each request",
            max_retries=0,
            http_client=DefaultAioHttpClient(
                timeout=settings.timeout_seconds,
                follow_redirects=False,
                limits=httpx2.Limits(max_connections=settings.concurrency),
            ),
        )

    async def complete(self, messages: Sequence[ChatMessage], *, seed_step: int = 0) -> Completion:
        body = self._body(messages, seed_step)
        attempt = 0
        while True:
            attempt += 1
            key = await self._ready_key()
            reply = await self._attempt(body, key, retry_calls=attempt - 1)
            if isinstance(reply, Completion):
                return reply
            now = self._clock.now_ms()
            step = decide_next(
                reply,
                attempt=attempt,
                attempts=self._settings.attempts,
                other_keys=self._keys.awake(now) - 1,
                jitter=self._jitter.random(),
            )
            if step.key_rest_ms or step.retire_key:
                self._keys.rest(key, now, RETIRED_MS if step.retire_key else step.key_rest_ms)
            if not step.again:
                raise self._error(reply, attempt)
            if step.wait_ms:
                await self._sleep(step.wait_ms / 1000)

    async def close(self) -> None:
        await self._client.close()

    def _body(self, messages: Sequence[ChatMessage], seed_step: int) -> dict[str, object]:
        settings = self._settings
        body: dict[str, object] = {
            "model": self._model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "temperature": settings.temperature,
            "max_tokens": settings.max_tokens,
        }
        if settings.seed is not None:
            body["seed"] = settings.seed + seed_step
        return body

    async def _ready_key(self) -> str:
        lease = self._keys.lease(self._clock.now_ms())
        if lease.wait_ms:
            await self._sleep(lease.wait_ms / 1000)
        return lease.key

    async def _attempt(self, body: dict[str, object], key: str, *, retry_calls: int) -> Completion | Fault:
        import httpx2  # noqa: PLC0415 - already loaded: a look-up
        from openai import APIConnectionError, APIStatusError, OpenAIError  # noqa: PLC0415

        try:
            async with self._slots, asyncio.timeout(self._settings.timeout_seconds):
                response = await self._client.post(
                    "/chat/completions",
                    cast_to=httpx2.Response,
                    body=body,
                    options={"headers": {"Authorization": f"Bearer {key}"}},
                )
        except APIStatusError as error:
            detail = f"the endpoint answered {error.status_code}"
            return fault_of_status(error.status_code, detail, error.response.headers.get("retry-after"))
        except (APIConnectionError, TimeoutError) as error:
            return Fault(kind="transport", detail=_detail(error))
        except OpenAIError as error:
            return Fault(kind="unusable", detail=_detail(error))
        return read_reply(response.content, asked_model=self._model, retry_calls=retry_calls)

    def _error(self, fault: Fault, attempts: int) -> ModelCallError:
        kind: type[ModelCallError] = ModelUnavailable
        if fault.kind in ("key", "refused"):
            kind = ModelRefused
        elif fault.kind == "unusable":
            kind = ModelReplyUnusable
        tries = "1 attempt" if attempts == 1 else f"{attempts} attempts"
        detail = f"{fault.detail} ({tries})"
        return kind(self._role, detail, primary_calls=1, retry_calls=attempts - 1)


def _detail(error: Exception) -> str:
    """One bounded line of type names, without whatever the endpoint may have echoed of a key or a prompt."""
    cause = error.__cause__ or error
    return f"{type(error).__name__}: {type(cause).__name__}"[:_DETAIL_CHARACTERS]
