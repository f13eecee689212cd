"""How many runs a key has left on a track, and when the next is possible."""

from datetime import UTC, datetime

from litestar import get
from litestar.params import FromQuery

from aml.contracts.envelope import Token
from aml.contracts.vocabulary import Track
from aml.gateway.edge.authorise import allow
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import FieldsInvalid
from aml.gateway.public.releases import KnownReleases
from aml.rules.quota import QuotaMode, quota_standing
from aml.runtime.release_folder import LoadedRelease

from .quota_queries import RunsOfKey, load_runs
from .views import Quota, QuotaList

MODES: tuple[QuotaMode, ...] = ("smoke", "full")


@get("/quotas", summary="What runs are left, and when the next is possible", guards=[allow("participant")])
async def read_quotas(
    parts: GivenParts,
    caller: GivenCaller,
    track: FromQuery[Track | None] = None,
    release_id: FromQuery[Token | None] = None,
) -> QuotaList:
    release = release_for(parts.releases, track, release_id)
    rules = release.release
    async with parts.database.read() as connection:
        runs = await load_runs(connection, caller.key_id, rules.track, rules.release_id)
    return QuotaList(
        track=rules.track,
        release_id=rules.release_id,
        now=moment(runs.now),
        quotas=tuple(quota_view(mode, runs, release) for mode in MODES),
    )


def release_for(releases: KnownReleases, track: Track | None, release_id: str | None) -> LoadedRelease:
    """The one that is named, or the default one of the track. Raises `FieldsInvalid`."""
    if release_id is None and track is not None and releases.get(None).release.track != track:
        of_track = [loaded for loaded in releases.all() if loaded.release.track == track]
        if not of_track:
            raise FieldsInvalid({"track": f"there is no release for the track {track} here"})
        return of_track[0]
    found = releases.get(release_id)
    if track is not None and found.release.track != track:
        raise FieldsInvalid({"release_id": f"is for the track {found.release.track}, not for {track}"})
    return found


def quota_view(mode: QuotaMode, runs: RunsOfKey, release: LoadedRelease) -> Quota:
    standing = quota_standing(mode, runs.past, release.release.quotas, runs.now)
    active = runs.active_job_id
    return Quota(
        mode=mode,
        used=standing.used,
        limit=standing.limit,
        used_in_hour=standing.used_in_hour,
        limit_in_hour=standing.limit_in_hour,
        possible_now=standing.reason is None and active is None,
        available_at=None if standing.available_at is None else moment(standing.available_at),
        reason=standing.reason or (None if active is None else "job_active"),
        active_job_id=active,
    )


def moment(unix_ms: int) -> datetime:
    return datetime.fromtimestamp(unix_ms / 1000, UTC)
