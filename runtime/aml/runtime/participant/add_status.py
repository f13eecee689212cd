"""An Add that answered 202: where its task is asked after, and what the answers mean. Pure.

The contract asks for an approved status URL with `{task_id}` and for a 202 whose body returns `task_id`; what a status answer
looks like is ours to say:

    202                                          pending
    200, `status` one of PENDING                 pending
    200, `status` one of DONE, or no `status`    done; the same body must be Add's success: `success` true and the three ids
    200, `status` one of FAILED                  failed; the Add may be repeated with the same request id
    200, any other `status`                      a contract error that names the words
    408, 425, 429, 500, 502, 503, 504            asked again; anything else is a contract error

Words are compared without regard to case. A `task_id` in a status answer must be the one that was asked for.
"""

import re
from typing import Any, Final, Literal
from urllib.parse import quote

from aml.contracts.participant import StatusPolling

from .errors import AddressRefused, EchoMismatched, SchemaViolated
from .response_check import as_object, kind_of
from .strict_json import read_json

PLACE: Final = "{task_id}"
PENDING: Final = frozenset({"pending", "queued", "accepted", "running", "processing", "in_progress"})
DONE: Final = frozenset({"done", "completed", "succeeded", "success"})
FAILED: Final = frozenset({"failed", "error", "cancelled"})
MAX_TASK_ID_CHARS: Final = 256

Progress = Literal["pending", "done", "failed"]


def check_template(template: str) -> str:
    """The URL with a harmless task in its place, to be judged like any other. Raises `AddressRefused`."""
    found = re.fullmatch(r"([A-Za-z][A-Za-z0-9+.-]*://[^/?#]*)([^#]*)", template)
    if template.count(PLACE) != 1 or found is None or PLACE in found[1]:
        raise AddressRefused(
            f"the Add status URL does not hold {PLACE} once, in its path or query",
            advice=f"write it like https://memory.example/tasks/{PLACE}",
        )
    return template.replace(PLACE, "0")


def url_for(template: str, task_id: str) -> str:
    return template.replace(PLACE, quote(task_id, safe=""))


def read_task_id(body: bytes) -> str:
    """Of a 202. Raises `JsonInvalid`, `SchemaViolated`, `LimitExceeded`."""
    value = as_object(read_json(body))
    task_id = value.get("task_id")
    if not isinstance(task_id, str) or not task_id:
        problem = f"is {kind_of(task_id)}, not a non-empty string" if "task_id" in value else "is missing"
        raise SchemaViolated(f"Add answered 202, but task_id {problem}", path="$.task_id")
    if len(task_id) > MAX_TASK_ID_CHARS or not task_id.strip(".") or not task_id.isprintable():
        raise SchemaViolated(
            f"task_id is longer than {MAX_TASK_ID_CHARS} characters, only dots, or not printable", path="$.task_id"
        )
    return task_id


def judge_status(body: bytes, task_id: str) -> Progress:
    """Of a status answer with status 200. Raises as `read_task_id`, and `EchoMismatched`."""
    value = as_object(read_json(body))
    if "task_id" in value and value["task_id"] != task_id:
        raise EchoMismatched("task_id is not the one that was asked for", path="$.task_id")
    status: Any = value.get("status")
    if status is None:
        return "done"
    word = status.lower() if isinstance(status, str) else None
    if word in PENDING:
        return "pending"
    if word in DONE:
        return "done"
    if word in FAILED:
        return "failed"
    known = ", ".join(sorted(PENDING | DONE | FAILED))
    raise SchemaViolated("status is no word that is known here", path="$.status", advice=f"use one of {known}")


def wait_before(poll: int, *, polling: StatusPolling, retry_after: float | None) -> float:
    """Seconds before poll number `poll` (from 1). A `Retry-After` can lengthen the wait, up to the cap."""
    wait = min(polling.cap_seconds, polling.first_seconds * polling.growth ** min(poll - 1, 64))
    return wait if retry_after is None else max(wait, min(retry_after, polling.cap_seconds))
