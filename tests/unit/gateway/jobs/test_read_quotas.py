"""Which release a question about quotas means, and what stands against a run."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from aml.gateway.errors import FieldsInvalid
from aml.gateway.jobs.quota_queries import RunsOfKey
from aml.gateway.jobs.read_quotas import quota_view, release_for
from aml.gateway.public.releases import KnownReleases
from aml.runtime.release_folder import LoadedRelease, bundled_releases, load_release

NOW = 1_800_000_000_000


def a_release(**changes: Any) -> LoadedRelease:
    loaded = load_release(Path(bundled_releases()["practice"]))
    return msgspec.structs.replace(loaded, release=msgspec.structs.replace(loaded.release, **changes))


def known(*releases: LoadedRelease) -> KnownReleases:
    return KnownReleases({each.release.release_id: each for each in releases}, "practice")


def test_a_track_names_its_release() -> None:
    coding = a_release(release_id="coding-1", track="coding")
    releases = known(a_release(), coding)

    assert release_for(releases, None, None).release.release_id == "practice"
    assert release_for(releases, "textual", None).release.release_id == "practice"
    assert release_for(releases, "coding", None) is coding


@pytest.mark.parametrize(
    ("track", "release_id", "field"), [("coding", None, "track"), ("coding", "practice", "release_id")]
)
def test_what_does_not_fit_names_its_field(track: Any, release_id: str | None, field: str) -> None:
    with pytest.raises(FieldsInvalid) as refused:
        release_for(known(a_release()), track, release_id)

    assert set(refused.value.fields) == {field}


def test_an_active_job_stands_against_a_run_that_the_quota_allows() -> None:
    free, busy = (
        quota_view("smoke", RunsOfKey(now=NOW, active_job_id=active, past=()), a_release())
        for active in (None, "job-1")
    )

    assert (free.possible_now, free.reason) == (True, None)
    assert (busy.possible_now, busy.reason, busy.active_job_id) == (False, "job_active", "job-1")
