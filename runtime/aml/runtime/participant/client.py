"""The one client for everything that speaks to a participant.

A call is encoded once and repeated byte for byte. Each attempt is one POST over a pooled keep-alive connection to a checked
address, with a deadline for the first byte, one for the whole, and a cap on the bytes read. Redirects, proxies, cookies and
compression do not exist here. Failures travel as values up to the call, so that no exception that leaves it is chained to
one of the HTTP library's, which know the headers and so the key.
"""

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable, Collection
from typing import Literal, TypeVar

import aiohttp
import msgspec
from msgspec import Struct
from multidict import CIMultiDict
from yarl import URL

from aml.contracts.participant import AddRequest, AuthScheme, CallLimits, Memory, ParticipantTarget, SearchRequest
from aml.contracts.release import RetryPolicy
from aml.runtime.clock import Clock, SystemClock
from aml.runtime.secret import Secret

from .address_guard import check_url
from .attempt import Attempt
from .errors import ParticipantError, TransportFailed
from .exchange import Reply, excerpt_of, failure_of_status, fetch
from .guarded_connector import GuardedConnector, Lookup, system_lookup
from .outcomes import AddOutcome, HealthOutcome, SearchOutcome
from .response_check import check_add_response, check_search_response
from .retry_policy import Retry, decide

T = TypeVar("T")


class ParticipantClient:
    """One per participant and process. `chance` returns uniform numbers in [0, 1); `sleep` is `asyncio.sleep` but for tests.

    Constructing it opens nothing. Raises `AddressRefused` where a URL of the target may not be called at all.
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
        schemes: Collection[str] = ("https",),
        ports: Collection[int] | None = None,
        connections: int = 64,
        multimodal: bool = False,
        clock: Clock | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        lookup: Lookup = system_lookup,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        if (target.auth == "none") != (secret is None):
            raise ValueError(f"auth scheme {target.auth!r} {'takes no' if secret else 'needs a'} key")
        urls = (target.add_url, target.search_url, target.health_url)
        self._add_url, self._search_url, self._health_url = (
            None
            if url is None
            # `encoded`: sent as written, not requoted.
            else URL(check_url(url, schemes=schemes, allow_private=allow_private, ports=ports).url, encoded=True)
            for url in urls
        )
        self._limits = limits or target.limits
        self._policy = policy
        self._secret = secret
        self._auth = target.auth
        self._chance = chance
        self._clock = clock or SystemClock()
        self._sleep = sleep
        self._multimodal = multimodal
        self._allow_private = allow_private
        self._connections = connections
        self._lookup = lookup
        self._ssl_context = ssl_context
        self._session: aiohttp.ClientSession | None = None

    async def add(self, request: AddRequest | bytes) -> AddOutcome:
        """`bytes` are a request that was encoded before. Raises the `ParticipantError` of the last attempt."""
        body = request if isinstance(request, bytes) else msgspec.json.encode(request)
        ids = _ids_decoder.decode(body) if isinstance(request, bytes) else request

        def check(reply: Reply) -> None:
            check_add_response(reply.body, request_id=ids.request_id, user_id=ids.user_id, session_id=ids.session_id)

        _, attempts = await self._call("add", body, check, ids.request_id)
        last = attempts[-1]
        return AddOutcome(attempts=attempts, latency_us=last.latency_us, status=last.status or 0)

    async def search(self, request: SearchRequest, *, request_id: str | None = None) -> SearchOutcome:
        """`request_id` names the unit in errors; Search sends none."""

        def check(reply: Reply) -> tuple[Memory, ...]:
            return check_search_response(reply.body, top_k=request.top_k, allow_parts=self._multimodal)

        memories, attempts = await self._call("search", msgspec.json.encode(request), check, request_id)
        return SearchOutcome(memories=memories, attempts=attempts, latency_us=attempts[-1].latency_us)

    async def health(self) -> HealthOutcome:
        """One unauthenticated GET; any 2xx is healthy. Raises `TransportFailed` without a health URL, or `ParticipantError`."""
        if self._health_url is None:
            raise TransportFailed("the target has no health URL", advice="bind one, or skip the health check")
        reply, record = await self._attempt("health", self._health_url, None, 1)
        if isinstance(reply, ParticipantError):
            raise self._located(reply, "health", (record,), None, b"")
        if not 200 <= reply.status < 300:
            failure = failure_of_status(reply, "health", self._clock.now_ms())
            raise self._located(failure, "health", (record,), None, reply.body)
        return HealthOutcome(status=reply.status, latency_us=record.latency_us)

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def __aenter__(self) -> "ParticipantClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(
        self, call: Literal["add", "search"], body: bytes, check: Callable[[Reply], T], request_id: str | None
    ) -> tuple[T, tuple[Attempt, ...]]:
        url = self._add_url if call == "add" else self._search_url
        assert url is not None
        attempts: list[Attempt] = []
        while True:
            reply, record = await self._attempt(call, url, body, len(attempts) + 1)
            attempts.append(record)
            received = b""
            failure: ParticipantError
            if isinstance(reply, ParticipantError):
                failure = reply
            elif reply.status != 200:
                failure, received = failure_of_status(reply, call, self._clock.now_ms()), reply.body
            else:
                received = reply.body
                try:
                    return check(reply), tuple(attempts)
                except ParticipantError as error:
                    failure = error
            attempts[-1] = msgspec.structs.replace(record, layer=failure.layer)
            decision = decide(
                len(attempts),
                retryable=failure.retryable,
                retry_after=failure.retry_after,
                policy=self._policy,
                chance=self._chance(),
            )
            if not isinstance(decision, Retry):
                raise self._located(failure, call, tuple(attempts), request_id, received)
            await self._sleep(decision.delay_seconds)

    async def _attempt(
        self, call: Literal["add", "search", "health"], url: URL, body: bytes | None, number: int
    ) -> tuple[Reply | ParticipantError, Attempt]:
        started_ms, started = self._clock.now_ms(), time.perf_counter_ns()
        reply = await fetch(
            self._open_session(), url, body, headers=None if call == "health" else self._headers(), limits=self._limits
        )
        record = Attempt(
            number=number,
            started_ms=started_ms,
            latency_us=(time.perf_counter_ns() - started) // 1000,
            status=reply.status,
            bytes_read=0 if isinstance(reply, ParticipantError) else len(reply.body),
            layer=reply.layer if isinstance(reply, ParticipantError) else None,
        )
        return reply, record

    def _headers(self) -> CIMultiDict[str]:
        headers = CIMultiDict({"Content-Type": "application/json"})
        if self._secret is not None:
            name, prefix = _AUTH_HEADER[self._auth]
            headers[name] = prefix + self._secret.reveal()
        return headers

    def _open_session(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=GuardedConnector(
                    allow_private=self._allow_private,
                    limit=self._connections,
                    connect_seconds=self._limits.connect_seconds,
                    lookup=self._lookup,
                    ssl_context=self._ssl_context,
                ),
                # `identity`: what is capped and shown is what was sent.
                headers={"Accept-Encoding": "identity", "Accept": "application/json", "User-Agent": _USER_AGENT},
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=self._limits.connect_seconds),
                auto_decompress=False,
                trust_env=False,
            )
        return self._session

    def _located(
        self,
        failure: ParticipantError,
        call: Literal["add", "search", "health"],
        attempts: tuple[Attempt, ...],
        request_id: str | None,
        body: bytes,
    ) -> ParticipantError:
        failure.call, failure.attempts, failure.request_id = call, attempts, request_id
        failure.attempt, failure.status = attempts[-1].number, attempts[-1].status
        failure.excerpt = excerpt_of(body, self._secret)
        if self._secret is not None:
            # A participant can put the key anywhere in its answer, also where an id was expected.
            failure.problem = self._secret.redact(failure.problem)
            failure.path = None if failure.path is None else self._secret.redact(failure.path)
            failure.args = (failure.problem,)
        failure.__context__ = None
        return failure


class _Ids(Struct, frozen=True):
    request_id: str
    user_id: str
    session_id: str


_ids_decoder = msgspec.json.Decoder(_Ids)

_USER_AGENT = "agent-memory-leaderboard"

_AUTH_HEADER: dict[AuthScheme, tuple[str, str]] = {
    "token": ("Authorization", "Token "),
    "bearer": ("Authorization", "Bearer "),
    "x-api-key": ("X-Api-Key", ""),
}
