"""What the board says about a release: its title, and whether its results may be compared."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import structlog

from aml.runtime.release_folder import ReleaseError
from aml.runtime.releases import Releases

from .site_index import SiteBoard

log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True)
class ReleaseFacts:
    title: str
    comparable: bool


class ReleaseCatalogue(Protocol):
    def facts(self, release_id: str, release_digest: str, served: SiteBoard | None) -> ReleaseFacts: ...


class ReleaseFolders:
    """Reads the release's own folder. A release that is no longer installed keeps what its board said before; one that
    was never known is shown under its id and as not comparable.
    """

    def __init__(self, extra_folder: Path | None) -> None:
        self._releases = Releases(extra_folder)

    def facts(self, release_id: str, release_digest: str, served: SiteBoard | None) -> ReleaseFacts:
        try:
            release, digest = self._releases.of(release_id)
        except ReleaseError as error:
            log.warning("board.release_unknown", release_id=release_id, error=str(error))
        else:
            if digest == release_digest:
                return ReleaseFacts(title=release.title, comparable=release.comparable)
        if served is not None:
            return ReleaseFacts(title=served.title, comparable=served.comparable)
        return ReleaseFacts(title=release_id, comparable=False)
