"""One and the same by code or place, and whose word came first."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.gateway.review.duplicates import Disclosed, came_first, code_name, find_alike, hosts_of, place_of

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def a_version(name: str, **changes: Any) -> Disclosed:
    values: dict[str, Any] = {
        "version_id": name,
        "key_id": f"key-{name}",
        "system": name,
        "version": "1",
        "organisation": name,
        "repository": f"https://code.example/{name}/memory",
        "commit": (name * 40)[:40],
        "urls": (f"https://{name}.example/add", f"https://{name}.example/search"),
        "access_id": f"acc-{name}",
        "disclosed_at": datetime(2026, 10, 1, tzinfo=UTC),
    } | changes
    return Disclosed(**values)


def matches(this: Disclosed, other: Disclosed, **addresses: frozenset[str]) -> tuple[str, ...]:
    found = find_alike(this, [this, other], {f"{name}.example": each for name, each in addresses.items()})
    return found[0].matches if found else ()


@pytest.mark.parametrize(
    "spelled",
    [
        "https://code.example/Ada/Memory",
        "http://www.code.example/ada/memory.git",
        "git@code.example:ada/memory.git",
        "ssh://git@code.example:22/ada/memory",
        "code.example/ada/memory/",
        "https://code.example/ada/memory/tree/main?tab=readme#top",
        " https://code.example./ada/memory ",
    ],
)
def test_a_repository_is_known_however_it_is_spelled(spelled: str) -> None:
    assert code_name(spelled) == "code.example/ada/memory"


@pytest.mark.parametrize("spelled", [None, "", "none", "see the report", "https://", "https://code.example/"])
def test_what_names_no_repository_is_like_nothing(spelled: str | None) -> None:
    assert code_name(spelled) is None


def test_the_same_commit_is_nearer_than_the_same_repository() -> None:
    this = a_version("a", commit=COMMIT)

    assert matches(this, a_version("b", repository=this.repository)) == ("repository",)
    assert matches(this, a_version("b", repository=this.repository, commit=COMMIT[:7].upper())) == ("commit",)
    assert matches(this, a_version("b", commit=COMMIT)) == ("commit",)
    assert matches(this, a_version("b")) == ()
    assert matches(this, a_version("b", commit=COMMIT[:6])) == ()


def test_a_place_is_host_port_and_path() -> None:
    this = a_version("a")

    assert matches(this, a_version("b", urls=("https://A.example:443/add/?x=1",))) == ("endpoint",)
    assert matches(this, a_version("b", urls=("https://a.example/other",))) == ("host",)
    assert matches(this, a_version("b", urls=("https://a.example:8443/add",))) == ()
    assert matches(this, a_version("b"), a=frozenset({"192.0.2.1"}), b=frozenset({"192.0.2.1"})) == ("address",)
    assert matches(this, a_version("b"), a=frozenset({"192.0.2.1"}), b=frozenset({"192.0.2.2"})) == ()


def test_the_nearest_comes_first_and_both_ways_are_named() -> None:
    this = a_version("a", commit=COMMIT)
    near = a_version("n", repository=this.repository, commit=COMMIT, urls=this.urls)
    far = a_version("f", urls=("https://a.example/elsewhere",))

    found = find_alike(this, [far, near], {})

    assert [each.other.version_id for each in found] == ["n", "f"]
    assert found[0].matches == ("commit", "endpoint")


def test_the_log_decides_and_the_databases_time_where_it_does_not() -> None:
    early, late = datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 10, 2, tzinfo=UTC)

    assert came_first((7, late), (9, early)) == "this"
    assert came_first((9, early), (7, late)) == "other"
    assert came_first((None, early), (7, late)) == "this"
    assert came_first((None, late), (None, early)) == "other"
    assert came_first((None, early), (None, early)) == "together"
    assert came_first((None, None), (7, early)) == "unknown"


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_breaks_the_comparison(one: str, other: str) -> None:
    this = a_version("a", repository=one, commit=other, urls=(one, other))
    same = a_version("b", repository=one, commit=other, urls=(one, other))

    assert find_alike(this, [same], {}) == find_alike(this, [same], {})
    assert len(hosts_of([this, same], 1)) <= 1
    assert place_of(one) is None or "://" in one
