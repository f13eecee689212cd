"""One participant's connections, its key in every request to it, and a record of each attempt."""

import ssl
import time
from typing import Final

from yarl import URL

from aml.contracts.participant import Attempt, AuthScheme, CallLimits
from aml.runtime.clock import Clock
from aml.runtime.secret import Secret

from .connections import Connections
from .errors import ParticipantError
from .exchange import fetch
from .guarded_dial import GuardedDial
from .name_lookup import Lookup
from .reply import Reply
from .request_head import RequestHead, request_head

_HEADERS: Final = {
    "Accept": "application/json",
    "Accept-Encoding": "identity",  # what is capped and shown is what was sent
    "User-Agent": "agent-memory-leaderboard",
}

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
        clock: Clock,
        lookup: Lookup,
        ssl_context: ssl.SSLContext | None,
    ) -> None:
        self._auth = auth
        self._secret = secret
        self._limits = limits
        self._clock = clock
        self._connections = Connections(
            GuardedDial(allow_private=allow_private, lookup=lookup, ssl_context=ssl_context)
        )
        self._heads: dict[URL, RequestHead] = {}
        """Of POSTs, which go to few URLs; each task that is asked after has one of its own."""

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
        head = self._get(url, with_key=with_key) if body is None else self._heads.get(url) or self._post(url)
        reply = await fetch(self._connections, head, body, limits=limits or self._limits)
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

    def close(self) -> None:
        self._connections.close()

    def _get(self, url: URL, *, with_key: bool) -> RequestHead:
        return request_head("GET", url, _HEADERS | (self._key() if with_key else {}))

    def _post(self, url: URL) -> RequestHead:
        head = self._heads[url] = request_head(
            "POST", url, _HEADERS | {"Content-Type": "application/json"} | self._key()
        )
        return head

    def _key(self) -> dict[str, str]:
        if self._secret is None:
            return {}
        name, prefix = _AUTH_HEADER[self._auth]
        return {name: prefix + self._secret.reveal()}
