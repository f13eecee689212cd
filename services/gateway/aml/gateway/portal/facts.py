"""What the pages say that is not in the catalogue: cycles, releases, the board's first rows, the API's own document."""

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from aml.contracts.cycle import Cycle
from aml.contracts.vocabulary import Track
from aml.gateway.public.releases import KnownReleases
from aml.runtime.participant.retry_policy import RETRYABLE_ADD, RETRYABLE_SEARCH
from aml.runtime.release_folder import LoadedRelease

from .board_preview import Preview
from .contract_examples import Examples, examples_of
from .openapi_view import Reference, reference_of

TRACKS: Final[tuple[Track, ...]] = ("textual", "multimodal", "coding")


class Facts:
    def __init__(
        self,
        *,
        releases: KnownReleases,
        cycles: tuple[Cycle, ...],
        boards: tuple[Preview, ...],
        board_cycles: bool,
        document: Callable[[], Mapping[str, Any]],
    ) -> None:
        self.cycles = cycles
        self.boards = boards
        self.board_cycles = board_cycles
        """Whether the board has pages of its own about cycles."""
        self._releases = releases
        self._document = document

    @property
    def cycle(self) -> Cycle | None:
        """The one that opens last: its dates are the ones that a reader asks for."""
        return self.cycles[0] if self.cycles else None

    @property
    def releases(self) -> tuple[LoadedRelease, ...]:
        return self._releases.all()

    @cached_property
    def reference(self) -> Reference:
        return reference_of(self._document())

    @property
    def tracks(self) -> tuple[Track, ...]:
        return TRACKS

    @cached_property
    def examples(self) -> dict[Track, Examples]:
        return {track: examples_of(track) for track in TRACKS}

    @property
    def retries(self) -> tuple[tuple[int, bool, bool], ...]:
        """Status, whether Add is sent again, whether Search is."""
        return tuple(
            (status, status in RETRYABLE_ADD, status in RETRYABLE_SEARCH)
            for status in sorted(RETRYABLE_ADD | RETRYABLE_SEARCH)
        )


def site_stamp(board_folder: Path) -> str:
    """Changes with every publication: the name that `current` points at."""
    try:
        return (board_folder / "current").readlink().name
    except OSError:
        return ""
