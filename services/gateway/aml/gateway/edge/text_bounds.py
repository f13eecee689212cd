"""Bounds of what callers may write, shared by every room's bodies."""

from typing import Annotated

from msgspec import Meta

_NO_CONTROL = r"[^\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]"
_NO_CONTROL_BUT_LINES = r"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
_END = r"(?![\s\S])"  # `\Z` for Python and for the readers of the OpenAPI document alike


# Control characters are refused where they enter: Postgres cannot hold NUL, and a line break in a name forges log lines.
Name = Annotated[str, Meta(min_length=1, max_length=120, pattern=rf"^(?=[\s\S]*\S){_NO_CONTROL}+{_END}")]
"""One line with something visible in it; nothing that turns its direction or cannot be seen, by which it reads as another.

Joiners stay: Persian, the scripts of India and emoji are written with them."""
Prose = Annotated[str, Meta(max_length=4000, pattern=rf"^{_NO_CONTROL_BUT_LINES}*{_END}")]
Reason = Annotated[str, Meta(min_length=1, max_length=4000, pattern=rf"^(?=[\s\S]*\S){_NO_CONTROL_BUT_LINES}+{_END}")]
Url = Annotated[str, Meta(min_length=1, max_length=2000)]
Concurrency = Annotated[int, Meta(ge=1, le=1024)]
