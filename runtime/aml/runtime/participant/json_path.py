"""Where in a JSON text something is, as a path like `$.data[3].score`: for the message of an error, never for a decision.

Slow, and so only for what lies in a body's first mebibyte. The text need not be valid: it is walked up to the place asked for.
"""

import json
import re
from collections.abc import Callable
from typing import Final

REACH_BYTES: Final = 1 << 20
MAX_PATH_CHARS: Final = 200

_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"?|[^\s\[\]{},:"]+|[\[\]{},:]', re.DOTALL)


def path_at(body: bytes, offset: int) -> str | None:
    """Of the value that begins at or holds `offset`; None beyond reach."""
    return _walk(body, offset, lambda _: False) if offset <= REACH_BYTES else None


def path_of_number(body: bytes, wanted: Callable[[bytes], bool]) -> str | None:
    """Of the first number that `wanted` says yes to; None where there is none within reach."""
    reach = min(len(body), REACH_BYTES)
    seen: list[bool] = []

    def found(token: bytes) -> bool:
        if token[:1] in b"-0123456789" and wanted(token):
            seen.append(True)
        return bool(seen)

    path = _walk(body, reach, found)
    return path if seen else None


def _walk(body: bytes, until: int, found: Callable[[bytes], bool]) -> str | None:
    """The path at `until`, or at the first token that `found` says yes to."""
    places: list[str | int] = []
    name = ""
    for match in _TOKEN.finditer(body):
        token = match[0]
        if match.start() >= until or found(token):
            break
        if token == b"{":
            places.append("")
        elif token == b"[":
            places.append(0)
        elif token in b"]}":
            if places:
                places.pop()
        elif token == b"," and places:
            last = places[-1]
            places[-1] = last + 1 if isinstance(last, int) else ""
        elif token == b":" and places and isinstance(places[-1], str):
            places[-1] = name
        elif token[:1] == b'"':
            name = _name(token)
        if match.end() > until:
            break
    path = "$" + "".join(f"[{place}]" if isinstance(place, int) else f".{place}" for place in places if place != "")
    return path if len(path) <= MAX_PATH_CHARS else f"a place {len(places)} levels deep"


def _name(token: bytes) -> str:
    """Whole or not at all: a text that was cut may end in a part of a key, which nobody could take out any more.

    Read and written anew, not copied: escapes that are escaped again are a spelling that `Secret.redact` does not know.
    """
    try:
        text = json.loads(token)
    except ValueError:
        return f"<{len(token)} unreadable bytes>"
    if len(text) > 80:
        return f"<{len(text)} characters>"
    return text if text.isidentifier() else json.dumps(text, ensure_ascii=False)
