"""What can come of a call besides its answer.

PlatformError
├── PlatformRefused       the gateway answered, and the answer is no
└── PlatformUnreachable   there was no usable answer within the patience
"""

from typing import Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from aml.toolkit.shown_text import one_line

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


class PlatformError(Exception):
    """Root. The message is one line."""


class PlatformRefused(PlatformError):
    """`fields` holds `(field, problem)` pairs where the gateway named fields."""

    def __init__(self, *, reason: str, message: str, status: int, fields: tuple[tuple[str, str], ...] = ()) -> None:
        named = "; ".join(f"{field} {problem}" for field, problem in fields)
        super().__init__(f"the platform refused ({one_line(reason)}): {one_line(named or message)}")
        self.reason = reason
        self.message = message
        self.status = status
        self.fields = fields


class PlatformUnreachable(PlatformError):
    def __init__(self, base_url: str, problem: str) -> None:
        local = host_of(base_url) in LOOPBACK
        hint = "`aml status` shows what runs" if local else "check its address and your network"
        super().__init__(f"the platform at {base_url} cannot be reached: {one_line(problem)}; {hint}")
        self.base_url = base_url
        self.problem = problem


def host_of(url: str) -> str | None:
    """None for what is no address."""
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


class _Field(Struct):
    field: str
    problem: str


class _Detail(Struct):
    reason: str
    message: str = ""
    fields: tuple[_Field, ...] = ()


class _Refusal(Struct):
    detail: _Detail


def refusal_of(status: int, content: bytes) -> PlatformRefused:
    try:
        detail = msgspec.json.decode(content, type=_Refusal).detail
    except msgspec.DecodeError:
        detail = _Detail(reason=f"http_{status}", message=f"HTTP {status} without a reason")
    return PlatformRefused(
        reason=detail.reason,
        message=detail.message,
        status=status,
        fields=tuple((each.field, each.problem) for each in detail.fields),
    )
