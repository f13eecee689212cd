"""The one client for everything that speaks to a participant.

A call is encoded once and repeated byte for byte. Each attempt is one POST over a kept or a new connection to a checked
address, with a deadline for the first byte, one for the whole, and a cap on the bytes read. Redirects, proxies, cookies and
compression do not exist here. Failures travel as values up to the call, so that no exception that leaves it is chained to
one whose frames hold the headers and so the key.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Collection
from typing import Literal, TypeVar

import msgspec
from yarl import URL

from aml.contracts.participant import (
    AddRequest,
    Attempt,
    CallLimits,
    ParticipantTarget,
    SearchRequest,
    StatusPolling,
)
from aml.contracts.release import RetryPolicy
from aml.runtime.clock import Clock, SystemClock
from aml.runtime.metrics import PARTICIPANT_CALLS, PARTICIPANT_SECONDS
from aml.runtime.secret import Secret

from .add_status import check_template
from .address_guard import check_url
from .aside import ASIDE_BYTES, Aside
from .errors import ParticipantError, TransportFailed
from .excerpt import excerpt_of
from .name_lookup import Lookup, system_lookup
from .outcomes import AddOutcome, HealthOutcome, SearchOutcome
from .plain_response import Found
from .refused_status import failure_of_status
from .reply import Reply
from .request_check import check_add_request, check_search_request
from .response_check import check_add_response, check_search_response
from .retry_policy import Retry, decide
from .task_poller import TaskPoller
from .transmitter import Transmitter
from .turnstile import Turnstile

T = TypeVar("T")
Work = Literal["add", "search"]


class ParticipantClient:
    """One per participant and process. `chance` returns uniform numbers in [0, 1); `sleep` is `asyncio.sleep` but for tests.

    Constructing it opens nothing. Raises `AddressRefused` where a URL of the target may not be called at all.
    `add_concurrency` and `search_concurrency` are what the participant declared: as many calls of a kind are made at once.
    """

    def __init__(
        self,
        target: ParticipantTarget,
        *,
        secret: Secret | None,
        policy: RetryPolicy,
        allow_private: bool,
        chance: Callable[[], float],
        limits: CallLimits | None = None,
        polling: StatusPolling | None = None,
        schemes: Collection[str] = ("https",),
        ports: Collection[int] | None = None,
        add_concurrency: int = 64,
        search_concurrency: int = 64,
        multimodal: bool = False,
        clock: Clock | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        lookup: Lookup = system_lookup,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        if (target.auth == "none") != (secret is None):
            raise ValueError(f"auth scheme {target.auth!r} {'takes no' if secret else 'needs a'} key")

        def checked(url: str) -> str:
            return check_url(url, schemes=schemes, allow_private=allow_private, ports=ports).url

        # `encoded`: sent as written, not requoted.
        self._urls = {
            "add": URL(checked(target.add_url), encoded=True),
            "search": URL(checked(target.search_url), encoded=True),
        }
        self._health_url = URL(checked(target.health_url), encoded=True) if target.health_url is not None else None
        if target.add_status_url is not None:
            checked(check_template(target.add_status_url))
        self._policy = policy
        self._secret = secret
        self._chance = chance
        self._clock = clock or SystemClock()
        self._sleep = sleep
        self._multimodal = multimodal
        limits = limits or target.limits
        self._aside = Aside()
        self._transmitter = Transmitter(
            auth=target.auth, secret=secret, limits=limits, allow_private=allow_private,
            clock=self._clock, lookup=lookup, ssl_context=ssl_context,
        )  # fmt: skip
        self._poller = None
        if target.add_status_url is not None:
            self._poller = TaskPoller(
                self._transmitter, target.add_status_url, limits=limits, polling=polling or StatusPolling(),
                failures_allowed=policy.attempts, clock=self._clock, sleep=sleep,
            )  # fmt: skip
        self.turnstiles = {
            "add": Turnstile(add_concurrency),
            "search": Turnstile(search_concurrency),
        }

    async def add(self, request: AddRequest | bytes) -> AddOutcome:
        """`bytes` are a request that was encoded before. Raises the `ParticipantError` of the last attempt."""
        body = request if isinstance(request, bytes) else msgspec.json.encode(request)
        sent = _add_decoder.decode(body) if isinstance(request, bytes) else request
        check_add_request(sent, len(body), allow_parts=self._multimodal)

        def check(reply: Reply) -> int:
            check_add_response(reply.body, request_id=sent.request_id, user_id=sent.user_id, session_id=sent.session_id)
            return len(reply.body)

        received, attempts = await self._call("add", body, check, sent.request_id)
        last = attempts[-1]
        counted = last if not last.poll else next(each for each in reversed(attempts) if not each.poll)
        return AddOutcome(
            attempts=attempts,
            latency_us=(last.started_ms - counted.started_ms) * 1000 + last.latency_us,
            status=counted.status or 0,
            received=received,
        )

    async def search(self, request: SearchRequest, *, request_id: str | None = None) -> SearchOutcome:
        """`request_id` names the unit in errors; Search sends none."""
        body = msgspec.json.encode(request)
        check_search_request(request, len(body), allow_parts=self._multimodal)

        def check(reply: Reply) -> Found:
            return check_search_response(reply.body, top_k=request.top_k, allow_parts=self._multimodal)

        found, attempts = await self._call("search", body, check, request_id)
        last = attempts[-1]
        return SearchOutcome(
            memories=found.memories, encoded=found.encoded,
            attempts=attempts, latency_us=last.latency_us, received=last.bytes_read,
        )  # fmt: skip

    async def health(self) -> HealthOutcome:
        """One unauthenticated GET; any 2xx is healthy. Raises `TransportFailed` without a health URL, or `ParticipantError`."""
        if self._health_url is None:
            raise TransportFailed("the target has no health URL", advice="bind one, or skip the health check")
        reply, record = await self._transmitter.attempt(self._health_url, None, 1, with_key=False)
        if isinstance(reply, ParticipantError):
            raise self._located(reply, "health", [record], None, b"")
        reply.release()
        if not 200 <= reply.status < 300:
            failure = failure_of_status(reply, "health", self._clock.now_ms())
            raise self._located(failure, "health", [record], None, reply.body)
        return HealthOutcome(status=reply.status, latency_us=record.latency_us)

    async def close(self) -> None:
        self._transmitter.close()

    async def __aenter__(self) -> "ParticipantClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(
        self, call: Work, body: bytes, check: Callable[[Reply], T], request_id: str | None
    ) -> tuple[T, tuple[Attempt, ...]]:
        turnstile = self.turnstiles[call]
        attempts: list[Attempt] = []
        number = 0
        while True:
            number += 1
            epoch = await turnstile.enter()
            try:
                outcome, received = await self._attempt(call, body, number, check, attempts)
                if not isinstance(outcome, ParticipantError):
                    turnstile.succeeded()
                    _succeeded[call].inc()
                    _seconds[call].observe(attempts[-1].latency_us / 1e6)
                    return outcome, tuple(attempts)
                last = attempts[-1] = msgspec.structs.replace(attempts[-1], layer=outcome.layer)
                turnstile.failed(status=last.status, retryable=outcome.retryable, began_in=epoch)
            finally:
                turnstile.leave()
            PARTICIPANT_CALLS.labels(call, outcome.layer).inc()
            decision = decide(
                number,
                retryable=outcome.retryable,
                retry_after=outcome.retry_after,
                policy=self._policy,
                chance=self._chance(),
            )
            if not isinstance(decision, Retry):
                raise self._located(outcome, call, attempts, request_id, received)
            await self._sleep(decision.delay_seconds)

    async def _attempt(
        self, call: Work, body: bytes, number: int, check: Callable[[Reply], T], attempts: list[Attempt]
    ) -> tuple[T | ParticipantError, bytes]:
        """What came of it, and the body that says so."""
        reply, record = await self._transmitter.attempt(self._urls[call], body, number)
        attempts.append(record)
        if isinstance(reply, Reply) and reply.status == 202 and call == "add" and self._poller is not None:
            reply.release()
            reply = await self._poller.ask(reply, record, attempts)
        if isinstance(reply, ParticipantError):
            return reply, b""
        try:
            if reply.status != 200:
                return failure_of_status(reply, call, self._clock.now_ms()), reply.body
            if len(reply.body) > ASIDE_BYTES:
                return await self._aside.judge(check, reply), b""
            return check(reply), b""
        except ParticipantError as error:
            return error, reply.body
        finally:
            reply.release()

    def _located(
        self,
        failure: ParticipantError,
        call: Literal["add", "search", "health"],
        attempts: list[Attempt],
        request_id: str | None,
        body: bytes,
    ) -> ParticipantError:
        failure.call, failure.attempts, failure.request_id = call, tuple(attempts), request_id
        failure.attempt, failure.status = failure.calls, attempts[-1].status
        failure.excerpt = excerpt_of(body, self._secret)
        if self._secret is not None:
            # A participant can put the key anywhere in its answer, also where an id was expected.
            failure.problem = self._secret.redact(failure.problem)
            failure.path = None if failure.path is None else self._secret.redact(failure.path)
            failure.args = (failure.problem,)
        failure.__context__ = failure.__cause__ = None
        return failure


_add_decoder = msgspec.json.Decoder(AddRequest)

_succeeded = {call: PARTICIPANT_CALLS.labels(call, "ok") for call in ("add", "search")}
_seconds = {call: PARTICIPANT_SECONDS.labels(call) for call in ("add", "search")}
