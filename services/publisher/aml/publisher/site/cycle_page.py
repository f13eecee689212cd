"""A cycle's page: dates, tracks, what an entry must show, quotas, prizes and contacts. All of it is the cycle's own data."""

from collections.abc import Sequence
from dataclasses import dataclass

from aml.contracts.cycle import Cycle, CycleTrack, Prize
from aml.contracts.release import Quotas
from aml.publisher.formats import count
from aml.publisher.shown_board import Files, ShownBoard, Surroundings, is_track_of

from .pages import Pages


@dataclass(frozen=True, kw_only=True)
class ShownTrack:
    track: CycleTrack
    boards: tuple[ShownBoard, ...]
    quotas: Quotas
    prizes: tuple[Prize, ...]

    @property
    def pool(self) -> str:
        """Of all prizes, by currency."""
        return pool_of(self.prizes)


def cycle_pages(pages: Pages, boards: Sequence[ShownBoard], around: Surroundings, *, when: str | None) -> Files:
    """Nothing where no cycle is known."""
    if not around.cycles:
        return {}
    files = pages.page("cycles/index.html", "cycles.html", cycles=around.cycles, when=when)
    for cycle in around.cycles:
        files |= pages.page(
            f"cycles/{cycle.cycle_id}.html",
            "cycle.html",
            cycle=cycle,
            tracks=shown_tracks(cycle, boards, around),
            pool=pool_of(cycle.prizes),
            when=when,
        )
    return files


def shown_tracks(cycle: Cycle, boards: Sequence[ShownBoard], around: Surroundings) -> tuple[ShownTrack, ...]:
    return tuple(
        ShownTrack(
            track=track,
            boards=tuple(shown for shown in boards if is_track_of(track, shown.board)),
            quotas=_quotas(cycle, track, around),
            prizes=tuple(each for each in cycle.prizes if each.track == track.track),
        )
        for track in cycle.tracks
    )


def pool_of(prizes: Sequence[Prize]) -> str:
    sums: dict[str, int] = {}
    for each in prizes:
        sums[each.currency] = sums.get(each.currency, 0) + each.places * each.amount
    return " + ".join(f"{count(amount)} {currency}" for currency, amount in sums.items())


def _quotas(cycle: Cycle, track: CycleTrack, around: Surroundings) -> Quotas:
    release = around.releases.get(track.release_id or "")
    return release.quotas if release is not None else cycle.quotas
