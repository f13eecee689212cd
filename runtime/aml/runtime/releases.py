"""The releases that this process knows, read from their folders once."""

from pathlib import Path

from aml.contracts.release import Release

from .release_folder import LoadedRelease, find_release, load_release


class Releases:
    def __init__(self, extra_folder: Path | None) -> None:
        self._extra_folder = extra_folder
        self._loaded: dict[str, LoadedRelease] = {}

    def loaded(self, release_id: str) -> LoadedRelease:
        """Raises `ReleaseError` where there is no such release, or its files are wrong."""
        if (known := self._loaded.get(release_id)) is None:
            known = self._loaded[release_id] = load_release(find_release(release_id, self._extra_folder))
        return known

    def of(self, release_id: str) -> tuple[Release, str]:
        """The release and its digest."""
        loaded = self.loaded(release_id)
        return loaded.release, loaded.digest
