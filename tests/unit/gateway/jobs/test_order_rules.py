"""What a participant's order may ask for, given the version and the release."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from aml.contracts.participant import ParticipantTarget
from aml.gateway.access.version_queries import VersionRow
from aml.gateway.jobs.bodies import Checklist, JobOrder
from aml.gateway.jobs.order_rules import order_problems
from aml.runtime.release_folder import LoadedRelease, bundled_releases, load_release

TICKED = Checklist(
    smoke_passed=True,
    contract_followed=True,
    run_instructions_complete=True,
    originality_disclosed=True,
    no_integrity_violations=True,
)


def a_version(*, url: str = "https://example.org", auth: Any = "bearer", **changes: Any) -> VersionRow:
    target = ParticipantTarget(add_url=f"{url}/add", search_url=f"{url}/search", auth=auth)
    values: dict[str, Any] = {
        "version_id": "v", "key_id": "k", "system": "s", "version": "1", "track": "textual", "division": "open_source",
        "arm": "participant", "own_run": False, "target": msgspec.json.encode(target), "max_add_concurrency": 4,
        "max_search_concurrency": 1024,
    }  # fmt: skip
    return VersionRow(**(values | changes))


def a_release(**changes: Any) -> LoadedRelease:
    loaded = load_release(Path(bundled_releases()["practice"]))
    return msgspec.structs.replace(loaded, release=msgspec.structs.replace(loaded.release, **changes))


def problems(release: LoadedRelease, version: VersionRow, *, allow_private: bool = False, **order: Any) -> set[str]:
    asked = JobOrder(**({"version_id": "v", "mode": "smoke", "run_label": "l"} | order))
    return set(order_problems(asked, version, release, allow_private=allow_private))


def test_a_plain_smoke_and_a_confirmed_full_are_fine() -> None:
    assert problems(a_release(), a_version()) == set()
    assert problems(a_release(), a_version(), mode="full", checklist=TICKED) == set()


@pytest.mark.parametrize("item", Checklist.__struct_fields__)
def test_every_item_of_the_checklist_counts(item: str) -> None:
    half = msgspec.structs.replace(TICKED, **{item: False})

    assert problems(a_release(), a_version(), mode="full", checklist=half) == {"checklist"}
    assert problems(a_release(), a_version(), mode="full") == {"checklist"}


def test_concurrency_stays_within_what_was_declared_and_what_the_release_allows() -> None:
    assert problems(a_release(), a_version(), add_concurrency=5) == {"add_concurrency"}
    assert problems(a_release(max_search_concurrency=8), a_version(), search_concurrency=9) == {"search_concurrency"}


def test_tracks_are_never_mixed() -> None:
    assert problems(a_release(track="coding"), a_version()) == {"release_id"}


def test_a_comparable_full_run_needs_authentication() -> None:
    comparable = a_release(comparable=True)

    assert problems(comparable, a_version(auth="none"), mode="full", checklist=TICKED) == {"version_id"}
    assert problems(comparable, a_version(auth="none")) == set()


def test_private_addresses_need_the_platforms_and_the_releases_leave() -> None:
    local, url = a_release(allow_private=True), "http://127.0.0.1:9"
    addresses = {"endpoints.add_url", "endpoints.search_url"}

    assert problems(local, a_version(url=url), allow_private=True) == set()
    assert problems(local, a_version(url=url), allow_private=False) == addresses
    assert problems(a_release(allow_private=False), a_version(url=url), allow_private=True) == addresses
    assert problems(a_release(allowed_schemes=("https",)), a_version(url="http://example.org")) == addresses
