"""The releases that this gateway offers, and the fact that each is locked."""

from pathlib import Path

import structlog
from litestar import get
from litestar.di import NamedDependency

from aml.contracts.release import ReleaseLocked
from aml.gateway.errors import FieldsInvalid
from aml.gateway.storage.database import Database
from aml.gateway.storage.outbox import enqueue
from aml.gateway.storage.start_queries import add_release_lock
from aml.runtime.clock import Clock
from aml.runtime.release_folder import LoadedRelease, ReleaseError, bundled_releases, find_release, load_release

from .views import ReleaseList, ReleaseView

log = structlog.get_logger()


class KnownReleases:
    """Read once at the start: a release does not change while it is locked."""

    def __init__(self, loaded: dict[str, LoadedRelease], default: str) -> None:
        self._loaded = loaded
        self.default = default

    @classmethod
    def read(cls, extra_folder: Path | None, default: str) -> "KnownReleases":
        """A release that cannot be read is left out with a line in the log: it is offered to nobody."""
        names = set(bundled_releases())
        if extra_folder is not None and extra_folder.is_dir():
            names |= {path.name for path in extra_folder.iterdir() if path.is_dir()}
        loaded = {}
        for name in sorted(names):
            try:
                loaded[name] = load_release(find_release(name, extra_folder))
            except ReleaseError as error:
                log.warning("release.unusable", release=name, error=str(error))
        return cls(loaded, default)

    def get(self, release_id: str | None) -> LoadedRelease:
        """Raises `FieldsInvalid` for one that is not offered."""
        name = release_id or self.default
        if (found := self._loaded.get(name)) is None:
            raise FieldsInvalid({"release_id": f"there is no release {name!r}; offered are {', '.join(self._loaded)}"})
        return found

    def all(self) -> tuple[LoadedRelease, ...]:
        return tuple(self._loaded.values())


async def lock_releases(database: Database, releases: KnownReleases, pipeline: str, clock: Clock) -> None:
    """States `ReleaseLocked` for each (release, code) that was not locked before."""
    for loaded in releases.all():
        async with database.transaction() as connection:
            if await add_release_lock(connection, loaded.release.release_id, loaded.digest, pipeline):
                await enqueue(
                    connection,
                    ReleaseLocked(
                        at=clock.now_ms(),
                        release_id=loaded.release.release_id,
                        release_digest=loaded.digest,
                        pipeline_digest=pipeline,
                        questions=sum(dataset.questions for dataset in loaded.release.datasets),
                    ),
                )


@get("/releases", summary="The releases that jobs can run under")
async def list_releases(offered: NamedDependency[KnownReleases]) -> ReleaseList:
    return ReleaseList(
        releases=tuple(
            ReleaseView(
                release_id=loaded.release.release_id,
                title=loaded.release.title,
                digest=loaded.digest,
                comparable=loaded.release.comparable,
                track=loaded.release.track,
                top_k=loaded.release.top_k,
                default=loaded.release.release_id == offered.default,
                contract=loaded.release,
            )
            for loaded in offered.all()
        )
    )
