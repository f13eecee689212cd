"""Texts of agents, which are untrusted and of any length, made fit for a page. Escaping is the template's."""

import re
from typing import Final

from markupsafe import escape
from msgspec import Struct

_UNREADABLE: Final = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")
"""What an HTML document may not hold even escaped: controls, lone surrogates, non-characters (HTML, section 13.2.3.5)."""


class Excerpt(Struct, frozen=True, kw_only=True):
    text: str
    whole: int | None = None
    """Characters of the whole text; None where this is the whole text."""


def readable(text: str) -> str:
    return _UNREADABLE.sub("\ufffd", text)


def one_line(text: str, limit: int) -> str:
    """At most `limit` characters."""
    line = " ".join(readable(text[: 20 * limit]).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def excerpt(text: str, limit: int) -> Excerpt:
    """At most `limit` bytes as they will stand in the file, which escaping may make five times as many as the characters."""
    head = readable(text[:limit])
    if len(head) == len(text) and _cost(head) <= limit:
        return Excerpt(text=head)
    left = limit
    for place, character in enumerate(head):
        left -= _cost(character)
        if left < 0:
            head = head[:place]
            break
    return Excerpt(text=head, whole=len(text))


def _cost(text: str) -> int:
    return len(str(escape(text)).encode())
