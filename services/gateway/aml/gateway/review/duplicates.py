"""Whether two versions are one and the same: by their code, by where they are reached, and whose word came first. Pure."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Literal

from msgspec import Struct

Match = Literal["commit", "repository", "endpoint", "host", "address"]
First = Literal["this", "other", "together", "unknown"]

_SCHEME: Final = r"(?:[a-z][a-z0-9+.-]*://)?(?:[^/@\s]*@)?"
_HOST: Final = r"([^/:\s?#]+)(?::([0-9]{1,5})(?=/|$)|:)?"
_URL: Final = re.compile(rf"{_SCHEME}{_HOST}/?([^?#]*)(?:[?#].*)?", re.IGNORECASE)
_HEX: Final = re.compile(r"[0-9a-f]{7,64}")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class Disclosed(Struct, frozen=True, kw_only=True):
    """A version as it was applied for. What is None was not said."""

    version_id: str
    key_id: str
    system: str
    version: str
    organisation: str | None
    repository: str | None
    commit: str | None
    urls: tuple[str, ...]
    access_id: str | None
    disclosed_at: datetime | None
    """When the application was stored, by the database's clock."""
    changes: int = 0
    """How often the version was changed afterwards: then the present disclosure is younger than `disclosed_at`."""


class Likeness(Struct, frozen=True, kw_only=True):
    other: Disclosed
    matches: tuple[Match, ...]


def find_alike(this: Disclosed, others: Sequence[Disclosed], addresses: Mapping[str, frozenset[str]]) -> list[Likeness]:
    """Those with something in common, the nearest first. `addresses` are what host names resolve to now."""
    found = []
    for other in others:
        if other.version_id == this.version_id:
            continue
        matches = tuple(
            match for match in (_same_code(this, other), _same_place(this, other, addresses)) if match is not None
        )
        if matches:
            found.append(Likeness(other=other, matches=matches))
    return sorted(found, key=lambda each: (min(_NEAREST.index(match) for match in each.matches), each.other.version_id))


_NEAREST: Final[tuple[Match, ...]] = ("commit", "endpoint", "repository", "host", "address")


def came_first(this: tuple[int | None, datetime | None], other: tuple[int | None, datetime | None]) -> First:
    """Each is where the log holds the application and when the database stored it. The log decides where it holds both."""
    (my_index, my_time), (their_index, their_time) = this, other
    if my_index is not None and their_index is not None and my_index != their_index:
        return "this" if my_index < their_index else "other"
    if my_time is None or their_time is None:
        return "unknown"
    if my_time == their_time:
        return "together"
    return "this" if my_time < their_time else "other"


def _same_code(this: Disclosed, other: Disclosed) -> Match | None:
    mine, theirs = code_name(this.repository), code_name(other.repository)
    if mine is None or mine != theirs:
        # A fork has another name and the same commit.
        return "commit" if _same_commit(this.commit, other.commit) else None
    return "commit" if _same_commit(this.commit, other.commit) else "repository"


def code_name(repository: str | None) -> str | None:
    """`host/owner/name`, however it is spelled: with a scheme, as `git@host:owner/name.git`, with a path into it."""
    if repository is None or (found := _URL.fullmatch(repository.strip())) is None:
        return None
    host = found[1].lower().removeprefix("www.").rstrip(".")
    parts = [part for part in found[3].lower().split("/") if part]
    if "." not in host or not parts:
        return None
    name = [*parts[:1], *(part.removesuffix(".git") for part in parts[1:2])]
    return "/".join((host, *name))


def _same_commit(one: str | None, other: str | None) -> bool:
    """Also where one of them is abbreviated, to 7 digits or more."""
    mine, theirs = (one or "").strip().lower(), (other or "").strip().lower()
    if not (_HEX.fullmatch(mine) and _HEX.fullmatch(theirs)):
        return False
    return mine.startswith(theirs) or theirs.startswith(mine)


def _same_place(this: Disclosed, other: Disclosed, addresses: Mapping[str, frozenset[str]]) -> Match | None:
    mine, theirs = {place_of(url) for url in this.urls}, {place_of(url) for url in other.urls}
    mine.discard(None)
    theirs.discard(None)
    if mine & theirs:
        return "endpoint"
    hosts, their_hosts = ({(place[0], place[1]) for place in places if place} for places in (mine, theirs))
    if hosts & their_hosts:
        return "host"
    found, their_found = (
        {(address, port) for host, port in each for address in addresses.get(host, ())} for each in (hosts, their_hosts)
    )
    return "address" if found & their_found else None


def place_of(url: str) -> tuple[str, int, str] | None:
    """`(host, port, path)`; None for what is no URL."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return None
    authority, _, path = rest.partition("?")[0].partition("/")
    host, _, port = authority.rpartition("@")[2].rpartition(":")
    if not port.isdigit():
        host, port = authority.rpartition("@")[2], str(_DEFAULT_PORTS.get(scheme.lower(), 0))
    return host.lower().rstrip("."), int(port), "/" + path.rstrip("/")


def hosts_of(disclosed: Sequence[Disclosed], limit: int) -> tuple[str, ...]:
    """Host names in their order, each once."""
    found: dict[str, None] = {}
    for each in disclosed:
        for url in each.urls:
            if (place := place_of(url)) is not None:
                found[place[0]] = None
    return tuple(found)[:limit]
