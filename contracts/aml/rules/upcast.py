"""Old versions of an event become the newest by pure steps, one a version: `chunk_added.v1` → `.v2` → `.v3`.

A step gets and gives plain values (a decoded JSON object), because the old version's struct is gone by then. What no step
leads on from and no struct stands for is an unknown version: whoever folds events stops there, and never leaves one out.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, get_args

import msgspec

from aml.contracts.events import Event, decode_event

Fields = dict[str, Any]


class Upcaster(msgspec.Struct, frozen=True):
    to: str
    """The tag that `step` leads to."""
    step: Callable[[Fields], Fields]
    """Pure. Gets the fields without their tag and must not change them in place."""


Upcasters = Mapping[str, Upcaster]
"""By the tag that a step starts from."""

UPCASTERS: Final[Upcasters] = MappingProxyType({})
"""Every version so far is the first one."""

KNOWN_TAGS: Final = frozenset(str(kind.__struct_config__.tag) for kind in get_args(Event))
_TAG: Final = re.compile(r"[a-z][a-z_]*\.v[1-9][0-9]*")


class UnknownEventVersion(Exception):
    """This code knows no such event: it is older than the log that it reads, or a step is missing."""

    def __init__(self, tag: str) -> None:
        super().__init__(
            f"this version of the software knows no event {tag}; run the version that wrote it, or a later one"
        )
        self.tag = tag


class UpcastInvalid(Exception):
    """A step did not give what its tag stands for: a defect of the step."""

    def __init__(self, tag: str, problem: str) -> None:
        super().__init__(f"{tag} was brought up to date wrongly: {problem}")
        self.tag = tag
        self.problem = problem


def read_event(data: bytes, upcasters: Upcasters = UPCASTERS) -> Event:
    """The event in its newest version. The usual event costs what decoding costs.

    Raises `UnknownEventVersion`, `UpcastInvalid`, or msgspec's errors for bytes that are no event of any version.
    """
    try:
        return decode_event(data)
    except msgspec.ValidationError:
        tag = tag_in(data)
        if tag is None or tag in KNOWN_TAGS:
            raise
    newest, fields = upcast(tag, _fields(data), upcasters)
    if newest not in KNOWN_TAGS:
        raise UnknownEventVersion(newest)
    try:
        event: Event = msgspec.convert({**fields, "type": newest}, Event)
    except msgspec.ValidationError as error:
        raise UpcastInvalid(tag, str(error)) from None
    return event


def upcast(tag: str, fields: Fields, upcasters: Upcasters) -> tuple[str, Fields]:
    """The newest tag that steps lead to, and its fields. Raises `UpcastInvalid` for a chain that comes back to itself."""
    passed = {tag}
    start = tag
    while (found := upcasters.get(tag)) is not None:
        tag, fields = found.to, found.step(fields)
        if tag in passed:
            raise UpcastInvalid(start, f"the steps come back to {tag}")
        passed.add(tag)
    return tag, fields


def tag_in(data: bytes) -> str | None:
    """None for what does not look like an event of any version."""
    try:
        found = msgspec.json.decode(data)
    except msgspec.DecodeError:
        return None
    tag = found.get("type") if isinstance(found, dict) else None
    return tag if isinstance(tag, str) and _TAG.fullmatch(tag) else None


def _fields(data: bytes) -> Fields:
    return {name: value for name, value in msgspec.json.decode(data).items() if name != "type"}
