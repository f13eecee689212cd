"""An Add as turns of a conversation."""

from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import UNSET

from aml.contracts.participant import AddRequest, TextPart

from .agent import HistoryTurn

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def turns_of(request: AddRequest) -> tuple[HistoryTurn, ...]:
    """Images are left out: an agent of the toolkit is told texts."""
    return tuple(
        HistoryTurn(
            role=message.role,
            content=message.content
            if isinstance(message.content, str)
            else "\n".join(part.text for part in message.content if isinstance(part, TextPart)),
            session=request.session_id.rpartition(":")[2],
            at=None if message.timestamp is UNSET else instant(message.timestamp),
        )
        for message in request.messages
    )


def instant(millis: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=millis)


def sample_of(user_id: str) -> str:
    """The platform's users are called `eval:<job>:<dataset>:<sample>`."""
    return user_id.split(":", 3)[-1]
