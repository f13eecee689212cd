"""What an edit makes of a version, and which of it is allowed. Pure."""

from typing import Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from aml.contracts.participant import AuthScheme

from .application_check import disclosure_problems
from .bodies import AccessApplication, Endpoints, VersionChange
from .endpoint_check import WEB, endpoint_problems, key_problems

Part = Literal["endpoints", "auth", "capacity", "timeouts", "rate_limits", "texts", "disclosure"]

_PARTS: tuple[Part, ...] = ("endpoints", "capacity", "timeouts", "rate_limits", "disclosure")
_TEXTS = ("description", "run_instructions")
_GIVEN = ("endpoints", "capacity", "timeouts", "rate_limits", *_TEXTS, "disclosure")


class Changed(Struct, frozen=True, kw_only=True):
    application: AccessApplication
    parts: tuple[Part, ...]
    """Those that are another now; empty where the edit says what was so already."""

    @property
    def endpoints(self) -> bool:
        return "endpoints" in self.parts


def changed_by(before: AccessApplication, change: VersionChange) -> Changed:
    given = {name: value for name in _GIVEN if (value := getattr(change, name)) is not None}
    after = msgspec.structs.replace(before, **given)
    other = {name for name in given if getattr(after, name) != getattr(before, name)}
    named = tuple(part for part in _PARTS if part in other)
    return Changed(application=after, parts=(*named, "texts") if other & set(_TEXTS) else named)


def change_problems(before: AccessApplication, change: VersionChange, *, allow_private: bool) -> dict[str, str]:
    after = changed_by(before, change).application
    problems = {
        name: "is empty; reviewers decide by it"
        for name in _TEXTS
        if getattr(change, name) is not None and not getattr(after, name).strip()
    }
    if change.disclosure is not None:
        problems |= disclosure_problems(after.disclosure, after.division)
    if change.endpoints is not None:
        problems |= endpoint_problems(after.endpoints, schemes=WEB, allow_private=allow_private)
        if after.endpoints.health_url is None:
            problems["endpoints.health_url"] = "is missing; it answers a GET without a key with any 2xx"
    if not problems:
        problems |= _key_problems(before.endpoints, after, change.memory_system_key)
    return problems


def _key_problems(before: Endpoints, after: AccessApplication, key: str | None) -> dict[str, str]:
    """The sealed key goes where it was entered for, or a leaderboard key that was stolen would steal it as well."""
    if key is not None:
        return key_problems(after.auth, key)
    if needs_key_again(before, after.endpoints, after.auth):
        return {
            "memory_system_key": "is needed again: the endpoints move to another host, and a sealed key stays behind"
        }
    return {}


def needs_key_again(before: Endpoints, after: Endpoints, auth: AuthScheme) -> bool:
    return auth != "none" and not keyed_origins(after) <= keyed_origins(before)


def keyed_origins(endpoints: Endpoints) -> frozenset[tuple[str, str, int | None]]:
    """Where the key is sent: scheme, host and port of all but the health URL, which is asked without it."""
    urls = (endpoints.add_url, endpoints.search_url, endpoints.add_status_url)
    found = (urlsplit(url) for url in urls if url is not None)
    return frozenset(
        (url.scheme.lower(), (url.hostname or "").lower(), _port(url.scheme.lower(), url.port)) for url in found
    )


def _port(scheme: str, port: int | None) -> int | None:
    return port if port is not None else {"http": 80, "https": 443}.get(scheme)
