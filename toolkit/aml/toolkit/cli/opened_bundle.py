"""A bundle that an audit command is given: opened, closed again, and what is wrong with it told as bad usage."""

from pathlib import Path

from aml.rules.bundle_archive import ArchiveInvalid, BundleArchive
from aml.rules.verify import BundleUnusable

from .boundary import CommandFailed, ExitCode


class OpenedBundle:
    """The edge from archive and bundle errors to one line and exit code 2."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> "OpenedBundle":
        try:
            self._file = self._path.open("rb")
        except OSError as error:
            raise CommandFailed(f"{self._path}: {error.strerror}", ExitCode.BAD_USAGE) from None
        try:
            self.files = BundleArchive(self._file)
        except ArchiveInvalid as error:
            self._file.close()
            raise self._unusable(error) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._file.close()
        if isinstance(error, ArchiveInvalid | BundleUnusable):
            raise self._unusable(error) from None

    def _unusable(self, error: ArchiveInvalid | BundleUnusable) -> CommandFailed:
        return CommandFailed(f"{self._path}: {error.problem} [{error.code}]", ExitCode.BAD_USAGE)
