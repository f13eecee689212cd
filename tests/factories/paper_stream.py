"""A stream of one message a subject in memory, for whoever publishes facts and looks them up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import nats.js.errors

from aml.contracts.events import Event, decode_event
from aml.runtime.bus import Bus

WRONG_LAST_SEQUENCE = 10071


@dataclass
class PaperStream:
    """Keeps one message a subject, as the broker does under `Nats-Expected-Last-Subject-Sequence: 0`."""

    messages: dict[str, bytes] = field(default_factory=dict)
    seen_ids: set[str] = field(default_factory=set)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    refuse_with: int | None = None

    async def publish(self, subject: str, data: bytes, *, headers: Mapping[str, str]) -> Any:
        self.headers.append(headers)
        if self.refuse_with is not None:
            raise nats.js.errors.APIError(code=503, err_code=self.refuse_with, description="refused")
        if headers["Nats-Msg-Id"] in self.seen_ids:
            return SimpleNamespace(duplicate=True)
        if subject in self.messages:
            raise nats.js.errors.BadRequestError(
                code=400, err_code=WRONG_LAST_SEQUENCE, description="wrong last sequence"
            )
        self.messages[subject] = data
        self.seen_ids.add(headers["Nats-Msg-Id"])
        return SimpleNamespace(duplicate=None)

    def forget_ids(self) -> None:
        """The duplicate window has passed."""
        self.seen_ids.clear()


@dataclass
class PaperBus:
    js: PaperStream = field(default_factory=PaperStream)

    async def last_event(self, subject: str) -> Event | None:
        data = self.js.messages.get(subject)
        return decode_event(data) if data is not None else None

    def facts(self) -> list[Event]:
        """In the order in which they were published."""
        return [decode_event(data) for data in self.js.messages.values()]

    def as_bus(self) -> Bus:
        return cast("Bus", self)
