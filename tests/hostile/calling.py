"""The client as the hostile tests use it: two attempts, no waiting, small limits."""

from typing import Any

from tests.hostile.misbehaviours import ACCENTED, TOP_K

from aml.contracts.participant import AddRequest, CallLimits, Message, ParticipantTarget, SearchRequest, StatusPolling
from aml.contracts.release import RetryPolicy
from aml.runtime.participant import ParticipantClient
from aml.runtime.secret import Secret

KEY = "hostile-canary-7c1e-key"
POLICY = RetryPolicy(attempts=2, base_seconds=0.01, cap_seconds=0.02)
ADD = AddRequest(
    request_id="eval:run:d:s:chunk-0",
    messages=(Message(role="user", content="I like tea.", timestamp=1_704_067_200_000),),
    user_id=ACCENTED,
    session_id="eval:run:s:1",
)
SEARCH = SearchRequest(query="What do I like?", user_id=ACCENTED, top_k=TOP_K)

SMALL = CallLimits(connect_seconds=2, first_byte_seconds=10, total_seconds=20, max_response_bytes=1 << 20)
LARGE = CallLimits(connect_seconds=2, first_byte_seconds=10, total_seconds=20)
QUICK = CallLimits(connect_seconds=2, first_byte_seconds=0.3, total_seconds=0.6, max_response_bytes=1 << 20)


def a_client(base: str, **changes: Any) -> ParticipantClient:
    auth = changes.pop("auth", "bearer")
    status_url = changes.pop("status_url", None)
    settings: dict[str, Any] = {
        "secret": None if auth == "none" else Secret(KEY),
        "policy": POLICY,
        "polling": StatusPolling(first_seconds=0.01, cap_seconds=0.05),
        "allow_private": True,
        "schemes": ("http",),
        "chance": lambda: 0.5,
        "limits": SMALL,
    }
    target = ParticipantTarget(add_url=f"{base}/add", search_url=f"{base}/search", add_status_url=status_url, auth=auth)
    return ParticipantClient(target, **(settings | changes))
