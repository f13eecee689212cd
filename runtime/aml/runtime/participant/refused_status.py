"""What an HTTP status means that is not the one the contract asks for. Pure."""

from typing import Literal

from .errors import AuthenticationRefused, HttpRefused, ParticipantError
from .reply import Reply
from .retry_policy import is_retryable_status, parse_retry_after


def failure_of_status(reply: Reply, call: Literal["add", "search", "health"], now_ms: int) -> ParticipantError:
    """Of a status that is not the one the contract asks for."""
    status = reply.status
    if status in (401, 403):
        return AuthenticationRefused(f"the participant answered {status}")
    if call != "health" and is_retryable_status(call, status):
        return HttpRefused(
            f"the participant answered {status}",
            retryable=True,
            retry_after=parse_retry_after(reply.retry_after, now_ms),
            advice="check its load and log; retries are bounded",
        )
    if 300 <= status < 400:
        return HttpRefused(
            f"the participant redirected ({status})", advice="redirects are not followed; bind the final URL"
        )
    if status == 202 and call == "add":
        return HttpRefused(
            "Add answered 202, but no status URL is bound to this version",
            advice="answer 200 after the write is durable, or bind an Add status URL with {task_id}",
        )
    return HttpRefused(f"the participant answered {status}, not {'2xx' if call == 'health' else '200'}")
