"""RFC 8785 (JSON Canonicalization Scheme) for the values that our log holds: no floats, safe integers, whole strings.

Floats are refused rather than printed as ECMAScript prints them: every fraction in an event is an integer with a scale,
so two implementations can never disagree about a digit.
"""

import re
from typing import Final

SAFE_INTEGER: Final = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly (RFC 7493 §2.2)."""

_ESCAPED: Final = re.compile(r'[\x00-\x1f"\\]')
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_SHORT_ESCAPES: Final = {
    "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\",
}  # fmt: skip


class NotCanonical(ValueError):
    """`path` (such as `$.results[3].score`) holds something that has no canonical form."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


def canonical(value: object) -> bytes:
    """The one UTF-8 text of `value`. Raises `NotCanonical` and says where."""
    parts: list[str] = []
    _write(value, "$", parts)
    return "".join(parts).encode()


def _write(value: object, path: str, parts: list[str]) -> None:
    match value:
        case None:
            parts.append("null")
        case bool():
            parts.append("true" if value else "false")
        case int():
            if not -SAFE_INTEGER <= value <= SAFE_INTEGER:
                raise NotCanonical(path, "is an integer beyond ±(2^53-1)")
            parts.append(int.__repr__(value))
        case str():
            parts.append(_quoted(value, path))
        case list() | tuple():
            _write_array(value, path, parts)
        case dict():
            _write_object(value, path, parts)
        case float():
            raise NotCanonical(path, "is a float; use an integer with a scale")
        case _:
            raise NotCanonical(path, f"is a {type(value).__name__}, which JSON does not have")


def _write_array(items: list[object] | tuple[object, ...], path: str, parts: list[str]) -> None:
    parts.append("[")
    for position, item in enumerate(items):
        if position:
            parts.append(",")
        _write(item, f"{path}[{position}]", parts)
    parts.append("]")


def _write_object(members: dict[object, object], path: str, parts: list[str]) -> None:
    names: list[str] = []
    for name in members:
        if not isinstance(name, str):
            raise NotCanonical(path, f"has a key of type {type(name).__name__}; keys are strings")
        if _SURROGATE.search(name):
            raise NotCanonical(path, f"has a key with a lone surrogate: {name!a}")
        names.append(name)
    parts.append("{")
    # RFC 8785 §3.2.3 sorts by UTF-16 code units, which puts U+1F600 before U+FB33; big-endian bytes sort alike.
    for position, name in enumerate(sorted(names, key=lambda name: name.encode("utf-16-be"))):
        if position:
            parts.append(",")
        parts.append(_quoted(name, path))
        parts.append(":")
        _write(members[name], path + _step(name), parts)
    parts.append("}")


def _step(name: str) -> str:
    return f".{name}" if name.isidentifier() and name.isascii() else f"[{name!a}]"


def _quoted(text: str, path: str) -> str:
    if _SURROGATE.search(text):
        raise NotCanonical(path, "is a string with a lone surrogate")
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    character = found.group()
    return _SHORT_ESCAPES.get(character) or f"\\u{ord(character):04x}"
