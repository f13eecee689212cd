"""The client that is tried, what it sends, and the error that it ends with."""

import socket
from typing import Any

import pytest

from aml.contracts.participant import AddRequest, CallLimits, Message, ParticipantTarget, SearchRequest
from aml.contracts.release import RetryPolicy
from aml.runtime.participant import ParticipantClient, ParticipantError
from aml.runtime.secret import Secret

CANARY = "canary-51f0-key"
ADD = AddRequest(
    request_id="eval:run:d:s:chunk-0",
    messages=(Message(role="user", content="Zoë: 我喜欢茶 😀", timestamp=1704067200000),),
    user_id="eval:run:d:s",
    session_id="eval:run:s:1",
)
SEARCH = SearchRequest(query="Who likes tea?", user_id="eval:run:d:s", top_k=2)
ADD_OK = {"success": True, "request_id": ADD.request_id, "user_id": ADD.user_id, "session_id": ADD.session_id}


async def to_loopback(_: str, __: int) -> list[tuple[int, str]]:
    return [(socket.AF_INET, "127.0.0.1")]


class Sleeps:
    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def a_client(base: str, **changes: Any) -> ParticipantClient:
    auth = changes.pop("auth", "bearer")
    status_url = changes.pop("status_url", None)
    settings: dict[str, Any] = {
        "secret": None if auth == "none" else Secret(CANARY),
        "policy": RetryPolicy(attempts=3, base_seconds=0.5, cap_seconds=8),
        "allow_private": True,
        "chance": lambda: 0.5,
        "schemes": ("http",),
        "sleep": Sleeps(),
    }
    target = ParticipantTarget(
        add_url=f"{base}/add", search_url=f"{base}/search", health_url=f"{base}/health", auth=auth,
        add_status_url=base + status_url if status_url else None,
        limits=changes.pop("limits", CallLimits(total_seconds=5, first_byte_seconds=5, max_response_bytes=100_000)),
    )  # fmt: skip
    return ParticipantClient(target, **(settings | changes))


async def failing(base: str, call: str = "search", **changes: Any) -> Any:
    async with a_client(base, **changes) as client:
        with pytest.raises(ParticipantError) as raised:
            await (client.add(ADD) if call == "add" else client.search(SEARCH))
    return raised.value
