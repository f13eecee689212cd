"""One participant's connections: the session that carries requests to it, its key, and a record of each attempt."""

import asyncio
import ssl
import time
from typing import Final

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from aml.contracts.participant import Attempt, AuthScheme, CallLimits
from aml.runtime.clock import Clock
from aml.runtime.secret import Secret

from .errors import ParticipantError
from .exchange import Reply, fetch
from .guarded_connector import GuardedConnector, Lookup
from .short_request import ShortRequests

LARGE_BODIES_AT_ONCE: Final = 8

_USER_AGENT: Final = "agent-memory-leaderboard"

_AUTH_HEADER: Final[dict[AuthScheme, tuple[str, str]]] = {
    "token": ("Authorization", "Token "),
    "bearer": ("Authorization", "Bearer "),
    "x-api-key": ("X-Api-Key", ""),
}


class Transmitter:
    """Opens nothing until the first attempt."""

    def __init__(
        self,
        *,
        auth: AuthScheme,
        secret: Secret | None,
        limits: CallLimits,
        allow_private: bool,
        connections: int,
        clock: Clock,
        lookup: Lookup,
        ssl_context: ssl.SSLContext | None,
    ) -> None:
        self._auth = auth
        self._secret = secret
        self._limits = limits
        self._allow_private = allow_private
        self._connections = connections
        self._clock = clock
        self._lookup = lookup
        self._ssl_context = ssl_context
        self._session: aiohttp.ClientSession | None = None
        self._short: ShortRequests | None = None
        self._large_bodies = asyncio.Semaphore(LARGE_BODIES_AT_ONCE)

    async def attempt(
        self,
        url: URL,
        body: bytes | None,
        number: int,
        *,
        with_key: bool = True,
        poll: bool = False,
        limits: CallLimits | None = None,
    ) -> tuple[Reply | ParticipantError, Attempt]:
        """POST `body`, or GET where it is None. A reply wants its `release` called."""
        started_ms, started = self._clock.now_ms(), time.perf_counter_ns()
        session, short = self._open_session()
        reply = await fetch(
            session,
            short,
            url,
            body,
            headers=self._headers(body) if with_key else None,
            limits=limits or self._limits,
            large_bodies=self._large_bodies,
        )
        record = Attempt(
            number=number,
            started_ms=started_ms,
            latency_us=(time.perf_counter_ns() - started) // 1000,
            status=reply.status,
            bytes_read=len(reply.body) if isinstance(reply, Reply) else 0,
            layer=None if isinstance(reply, Reply) else reply.layer,
            poll=poll,
        )
        return reply, record

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = self._short = None

    def _headers(self, body: bytes | None) -> CIMultiDict[str]:
        headers: CIMultiDict[str] = CIMultiDict()
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._secret is not None:
            name, prefix = _AUTH_HEADER[self._auth]
            headers[name] = prefix + self._secret.reveal()
        return headers

    def _open_session(self) -> tuple[aiohttp.ClientSession, ShortRequests]:
        if self._session is None or self._short is None:
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
            self._short = ShortRequests(self._session, self._headers(b""))
        return self._session, self._short
