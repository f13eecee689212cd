"""A stream of one message a subject in memory, for whoever publishes facts and looks them up."""

from dataclasses import dataclass, field
from typing import cast

from aml.contracts.events import Event, decode_event
from aml.runtime.bus import Bus


@dataclass
class PaperBus:
    messages: dict[str, bytes] = field(default_factory=dict)
    raises: Exception | None = None
    refuses: bool = False
    """Every message, whatever is stored."""

    async def append(self, subject: str, data: bytes) -> bool:
        if self.raises is not None:
            raise self.raises
        if self.refuses or subject in self.messages:
            return False
        self.messages[subject] = data
        return True

    async def last_event(self, subject: str) -> Event | None:
        data = self.messages.get(subject)
        return decode_event(data) if data is not None else None

    def facts(self) -> list[Event]:
        """In the order in which they were published."""
        return [decode_event(data) for data in self.messages.values()]

    def as_bus(self) -> Bus:
        return cast("Bus", self)
