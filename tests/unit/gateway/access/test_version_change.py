"""What an edit makes of a version, and which of it is allowed."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories.applications import OPEN, URLS, an_application

from aml.gateway.access.bodies import Endpoints, VersionChange
from aml.gateway.access.version_change import change_problems, changed_by, needs_key_again

BEFORE = an_application()


def a_change(**values: Any) -> VersionChange:
    return msgspec.convert(values, VersionChange)


def problems(**values: Any) -> set[str]:
    return set(change_problems(BEFORE, a_change(**values), allow_private=False))


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({}, ()),
        ({"endpoints": URLS}, ()),
        ({"description": "d"}, ()),
        ({"endpoints": URLS | {"add_url": "https://memory.example/v2/add"}}, ("endpoints",)),
        ({"description": "other", "run_instructions": "other"}, ("texts",)),
        ({"timeouts": {"add_seconds": 60}, "capacity": {"max_add_concurrency": 8}}, ("capacity", "timeouts")),
        ({"disclosure": OPEN | {"authors": "A. Author"}}, ("disclosure",)),
        ({"rate_limits": {"add_per_minute": 600}}, ("rate_limits",)),
    ],
)
def test_only_what_is_another_counts_as_changed(change: dict[str, Any], parts: tuple[str, ...]) -> None:
    changed = changed_by(BEFORE, a_change(**change))

    assert changed.parts == parts
    assert changed.endpoints is ("endpoints" in parts)


def test_system_version_track_and_division_stay() -> None:
    for name in ("system", "version", "track", "division", "auth"):
        with pytest.raises(msgspec.ValidationError):
            a_change(**{name: "other"})


def test_a_new_path_takes_the_sealed_key_along_and_a_new_host_does_not() -> None:
    path = URLS | {"add_url": "https://memory.example/v2/add"}
    host = URLS | {"add_url": "https://elsewhere.example/add"}

    assert problems(endpoints=path) == set()
    assert problems(endpoints=host) == {"memory_system_key"}
    assert problems(endpoints=host, memory_system_key="n" * 20) == set()


HOSTS = st.sampled_from(
    ["memory.example", "MEMORY.example", "elsewhere.example", "memory.example:8443", "memory.example:443"]
)
SCHEMES = st.sampled_from(["http", "https"])


@given(scheme=SCHEMES, add=HOSTS, search=HOSTS, status=HOSTS, health=HOSTS)
def test_a_sealed_key_is_never_sent_where_it_was_not_entered_for(
    scheme: str, add: str, search: str, status: str, health: str
) -> None:
    before = Endpoints(add_url="https://memory.example/add", search_url="https://memory.example/search")
    after = Endpoints(
        add_url=f"{scheme}://{add}/add",
        search_url=f"https://{search}/search",
        health_url=f"https://{health}/health",
        add_status_url=f"https://{status}/tasks/{{task_id}}",
    )
    at_home = {"https://memory.example", "https://memory.example:443"}
    reached = {f"{scheme}://{add}".lower(), f"https://{search}".lower(), f"https://{status}".lower()}

    assert needs_key_again(before, after, "bearer") is not (reached <= at_home)
    assert not needs_key_again(before, after, "none")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"endpoints": URLS | {"add_url": "http://10.0.0.1/add"}}, "endpoints.add_url"),
        ({"endpoints": {name: url for name, url in URLS.items() if name != "health_url"}}, "endpoints.health_url"),
        ({"description": " "}, "description"),
        ({"disclosure": {}}, "disclosure.repository"),
        ({"memory_system_key": "two\nlines"}, "memory_system_key"),
    ],
)
def test_an_edit_is_held_to_what_an_application_is_held_to(change: dict[str, Any], field: str) -> None:
    assert field in problems(**change)
