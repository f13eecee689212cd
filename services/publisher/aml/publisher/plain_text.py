"""Participants' text where there is no element to isolate it: in titles, drawings and feeds.

A name is untrusted. On pages `<bdi>` keeps its direction to itself; elsewhere the Unicode isolates do, and its own controls
of direction, with which it could leave them, are taken out (UAX #9, section 2.4).
"""

import re

_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""XML 1.0, section 2.2: what a document may not hold even escaped."""

_ISOLATE, _END = "\u2068", "\u2069"


def isolated(text: str, limit: int | None = None) -> str:
    """One line, at most `limit` characters of it, that reads the same wherever it is put. Not escaped."""
    line = " ".join(_NOT_XML.sub("\ufffd", _DIRECTION.sub("", text)).split())
    if limit is not None and len(line) > limit:
        line = f"{line[: limit - 1]}…"
    return line if line.isascii() else f"{_ISOLATE}{line}{_END}"
