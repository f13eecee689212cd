"""The connection to NATS: one JetStream stream that holds every fact once.

FastStream's broker owns the connection and the reactors that subscribe to it (`reactors.py`); unit work, which may take
half an hour a message, is pulled with nats-py on the same connection (`pull.py`).
"""

import asyncio
import logging
from collections.abc import Iterable
from typing import Any

import nats.errors
import nats.js.errors
import structlog
from faststream.nats import NatsBroker
from faststream.nats.security import NatsToken
from nats.aio.client import Client
from nats.js import JetStreamContext, api

from aml.contracts.events import Event, decode_event
from aml.rules.identity import EVERYTHING, STREAM

from .appends import Appends
from .settings import NatsSettings

log = structlog.get_logger()

PUBLISH_TIMEOUT_SECONDS = 5.0
RECONNECT_BUFFER_BYTES = 16 * 1024 * 1024

TRANSIENT_BUS_ERRORS = (nats.errors.Error, nats.js.errors.Error, asyncio.TimeoutError, ConnectionError)
"""The broker is away, slow or restarting: the same call may succeed later. nats-py raises the bare `TimeoutError`, too."""


class NotConnected(ConnectionError):
    """Before `connect` and after `close`. Transient like every `ConnectionError`: what a stopping process could not do is
    handed back and done by the next one, and never parked."""

    def __init__(self) -> None:
        super().__init__("the bus is not connected")


class Bus:
    """Holds the connection of one process. Reconnects for ever; `connected` says how it is now."""

    def __init__(self, settings: NatsSettings, *, name: str) -> None:
        security = NatsToken(settings.token_file.read_text("ascii").strip()) if settings.token_file else None
        self._settings = settings
        self.broker = NatsBroker(
            settings.url,
            name=name,
            security=security,
            max_reconnect_attempts=-1,
            reconnect_time_wait=1,
            connect_timeout=5,
            pending_size=RECONNECT_BUFFER_BYTES,
            graceful_timeout=10.0,
            error_cb=_log_error,
            logger=logging.getLogger("aml.bus"),  # at WARNING, like every library (see `telemetry`)
        )
        self._js: JetStreamContext | None = None
        self._appends: Appends | None = None
        self.reactors: list[api.ConsumerConfig] = []
        """The consumers of this process's reactors (`reactors.py`)."""

    @property
    def client(self) -> Client:
        return self.broker.connection

    @property
    def js(self) -> JetStreamContext:
        if self._js is None:
            raise NotConnected
        return self._js

    @property
    def connected(self) -> bool:
        return self._js is not None and bool(self.client.is_connected)

    async def check_connected(self) -> str | None:
        """For readiness (`readiness.Check`)."""
        return None if self.connected else "the broker is unreachable"

    async def connect(self, *, deadline_seconds: float = 30.0) -> None:
        """Waits for the broker to come up, then makes sure that the stream exists."""
        async with asyncio.timeout(deadline_seconds):
            while True:
                try:
                    await self.broker.connect()
                    break
                except (OSError, *TRANSIENT_BUS_ERRORS):
                    await asyncio.sleep(0.1)
            self._js = self.client.jetstream(timeout=PUBLISH_TIMEOUT_SECONDS)
            self._appends = Appends(self.client, timeout_seconds=PUBLISH_TIMEOUT_SECONDS)
            await self._appends.listen()
            while True:
                try:
                    await self.ensure_stream()
                    break
                except TRANSIENT_BUS_ERRORS:
                    await asyncio.sleep(0.1)

    async def close(self) -> None:
        """What reactors are doing may still end in the stream; afterwards there is no connection."""
        try:
            await self.broker.stop()
        finally:
            self._js = None
            self._appends = None

    async def append(self, subject: str, data: bytes) -> bool:
        """True once the stream has stored the first message on `subject`, False where one stands there already.

        Raises one of `TRANSIENT_BUS_ERRORS` when it cannot be known.
        """
        return await self._connected_appends.append(subject, data)

    async def append_all(self, messages: Iterable[tuple[str, bytes]]) -> list[bool]:
        """`append` for each (subject, data), in their order and all under way at once. Where one fails, others may be stored."""
        return await self._connected_appends.append_all(messages)

    @property
    def _connected_appends(self) -> Appends:
        if self._appends is None:
            raise NotConnected
        return self._appends

    async def last_event(self, subject: str) -> Event | None:
        """The fact that stands on `subject`, or None. Raises one of `TRANSIENT_BUS_ERRORS` when it cannot be known."""
        try:
            message = await self.js.get_last_msg(STREAM, subject, direct=True)
        except nats.js.errors.NotFoundError:
            return None
        return decode_event(message.data or b"")

    async def ensure_stream(self) -> None:
        """Idempotent. Also for whoever can fill a stream again that the broker has lost."""
        config = api.StreamConfig(
            name=STREAM,
            subjects=[EVERYTHING],
            storage=api.StorageType.FILE,
            retention=api.RetentionPolicy.LIMITS,
            num_replicas=self._settings.replicas,
            allow_direct=True,
            duplicate_window=120,
        )
        try:
            await self.js.add_stream(config)
        except nats.js.errors.BadRequestError as error:
            if error.err_code != _STREAM_EXISTS_WITH_OTHER_CONFIG:
                raise


async def _log_error(error: Exception) -> None:
    """What nats-py meets outside of any call, a subscription's callback that raised included."""
    log.warning("bus.error", error=type(error).__name__, detail=str(error)[:200])


_STREAM_EXISTS_WITH_OTHER_CONFIG = 10058


def delivery_count(reply: str) -> int:
    """How often the message with this JetStream reply subject was delivered, this time included; 1 for the first time.

    Read from the subject's tokens directly: nats-py's `Msg.metadata` parses all of it, 10 µs a message.
    """
    tokens: list[Any] = reply.split(".")
    return int(tokens[4] if len(tokens) == 9 else tokens[6])
