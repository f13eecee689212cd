"""What can be wrong with a dataset before anything starts.

BenchmarkError
├── UnknownAdapter
└── BundleError
    └── BundleDigestMismatch
"""

from collections.abc import Iterable
from pathlib import Path


class BenchmarkError(Exception):
    """Root of this package's errors."""


class UnknownAdapter(BenchmarkError):
    def __init__(self, adapter: str, known: Iterable[str]) -> None:
        self.adapter = adapter
        self.known = tuple(sorted(known))
        super().__init__(f"there is no dataset adapter {adapter!r}; known: {', '.join(self.known)}")


class BundleError(BenchmarkError):
    """A dataset file cannot be used. `record` and `field` are None where the fault concerns the whole file or record."""

    def __init__(self, file: Path, record: str | None, field: str | None, problem: str) -> None:
        self.file = file
        self.record = record
        self.field = field
        self.problem = problem
        place = ": ".join(_one_line(part) for part in (str(file), record, field) if part)
        super().__init__(f"{place}: {_one_line(problem)}")


class BundleDigestMismatch(BundleError):
    """The file is not the one that was pinned."""

    def __init__(self, file: Path, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(
            file, None, "sha256", f"is {found}, pinned is {expected}; fetch the pinned file or pin this one"
        )


def _one_line(text: str) -> str:
    """Values of the file stand in the message, and a file may hold anything."""
    line = "".join(character if character.isprintable() else " " for character in text)
    return line if len(line) <= 300 else f"{line[:297]}..."
