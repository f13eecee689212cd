"""Prompts from a release's files, filled in with text that nobody may trust.

A template has a system part and a user part, divided by a line `---`; one without that line is all user part. `{{name}}`
stands for a value. Values are put in once, in one pass over the template, and never read again as a template: braces in a
question or a memory stay what they are, which `str.format` would not allow.

`{{fence}}` is a word that occurs in none of the values, because it is derived from all of them. A template puts it into the
marks around untrusted text, so that no text can close its own marks.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from .completion import ChatMessage

_PLACE = re.compile(r"\{\{(\w+)\}\}")
_DIVIDER = re.compile(r"^---[ \t]*$\n?", re.MULTILINE)
FENCE = "fence"


class TemplateError(Exception):
    """The template asks for a value that the prompts of its kind do not have."""

    def __init__(self, unknown: frozenset[str], known: frozenset[str]) -> None:
        super().__init__(
            f"unknown {', '.join(f'{{{{{name}}}}}' for name in sorted(unknown))}; there is "
            f"{', '.join(f'{{{{{name}}}}}' for name in sorted(known))}"
        )
        self.unknown = unknown
        self.known = known


class _Template(Struct, frozen=True):
    system: str
    user: str
    names: frozenset[str]


def names_in(template: str) -> frozenset[str]:
    return _parsed(template).names


def fill_template(template: str, values: Mapping[str, str]) -> list[ChatMessage]:
    """Raises `TemplateError` for a name without a value."""
    parsed = _parsed(template)
    filling = {**values, FENCE: fence_for(values)}
    if unknown := parsed.names - filling.keys():
        raise TemplateError(unknown, frozenset(filling))
    user = ChatMessage(role="user", content=_fill(parsed.user, filling))
    if not parsed.system:
        return [user]
    return [ChatMessage(role="system", content=_fill(parsed.system, filling)), user]


def fence_for(values: Mapping[str, str]) -> str:
    hasher = hashlib.sha256()
    for name in sorted(values):
        data = values[name].encode("utf-8", "surrogatepass")
        hasher.update(f"{name}:{len(data)}:".encode())
        hasher.update(data)
    return hasher.hexdigest()[:12]


def _fill(part: str, filling: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda match: filling[match[1]], part)


@lru_cache(maxsize=256)
def _parsed(template: str) -> _Template:
    head, *rest = _DIVIDER.split(template, maxsplit=1)
    system, user = (head, rest[0]) if rest else ("", head)
    return _Template(system.strip(), user.strip(), frozenset(_PLACE.findall(template)))
