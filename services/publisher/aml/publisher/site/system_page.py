"""A system's page: one row of a board with everything that stands behind it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aml.contracts.access import Disclosed
from aml.contracts.boards import BoardRow
from aml.publisher import formats
from aml.publisher.catalogue import Catalogue
from aml.publisher.charts import Spoke, capability_radar, score_badge
from aml.publisher.plain_text import isolated
from aml.publisher.shown_board import Files, ShownBoard, Surroundings
from aml.rules.capability_scores import CapabilityScore

from .pages import Pages
from .score_lines import Group, kind_names, table_bodies

_NAME_LIMIT = 40
_DISCLOSED = (
    "organisation", "product_version", "repository", "commit", "authors", "original_works", "technical_report",
    "method_changes",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Past:
    """Another approved result of the same system."""

    row: BoardRow
    shown: ShownBoard
    rank: int


System = tuple[str, str]
"""Whose it is and what it is called: the key's id and the name, its case aside."""


def system_of(row: BoardRow) -> System:
    return row.subject.key_id, row.subject.system.casefold()


def histories(boards: Sequence[ShownBoard], shared: dict[str, int]) -> dict[System, list[Past]]:
    """Every approved result of each system over all boards, the latest first; `shared` are the ranks by job."""
    found: dict[System, list[Past]] = {}
    for shown in boards:
        for row in shown.board.rows:
            found.setdefault(system_of(row), []).append(Past(row=row, shown=shown, rank=shared[row.job_id]))
    for results in found.values():
        results.sort(key=lambda past: (-past.row.approved_at, past.row.job_id))
    return found


def system_page(
    pages: Pages,
    shown: ShownBoard,
    row: BoardRow,
    around: Surroundings,
    *,
    rank: int,
    groups: Sequence[Group],
    history: Sequence[Past],
) -> Files:
    """`groups` are the row's `score_groups`, the same for every language."""
    capabilities = shown.capabilities[row.job_id]
    return pages.page(
        f"systems/{row.job_id}.html",
        "system.html",
        shown=shown,
        row=row,
        rank=rank,
        result=shown.gates[row.job_id].result,
        bodies=table_bodies(groups, kind_names(pages.t)),
        capabilities=capabilities,
        radar=capability_radar(_spokes(capabilities, pages.t), title=pages.t("radar.title")),
        disclosed=disclosed_fields(around.disclosure(row)),
        history=history,
        snippet=badge_snippet(row, around.url),
        board_page=f"../{shown.board_id}.html",
        when=formats.utc_minute(row.approved_at),
    )


def disclosed_fields(disclosure: Disclosed | None) -> list[tuple[str, str, bool]]:
    """Name, text, and whether it is an https address that may be followed."""
    if disclosure is None:
        return []
    texts = ((name, (getattr(disclosure, name) or "").strip()) for name in _DISCLOSED)
    return [(name, text, is_address(text)) for name, text in texts if text]


def is_address(text: str) -> bool:
    """https alone, and nothing that could end the address early or show another host than it leads to."""
    rest = text.removeprefix("https://")
    return rest != text and text.isascii() and text.isprintable() and not set(' "<>\\^`{|}@') & set(rest) and rest != ""


def badge(row: BoardRow, rank: int) -> bytes:
    """One for all languages: it stands in somebody's README."""
    parts = [isolated(row.subject.system, _NAME_LIMIT), formats.percent(row.overall)]
    if row.subject.division != "baseline":
        parts.append(f"rank {rank}")
    return score_badge("AML", (*parts, row.subject.release_id))


def badge_snippet(row: BoardRow, url: str | None) -> str:
    """Markdown. Without the site's address a placeholder stands for it; a page that is read over HTTP fills it in."""
    site = url or "https://BOARD.example"
    text = f"AML {formats.percent(row.overall)}, {row.subject.release_id}"
    return f"[![{text}]({site}/badges/{row.job_id}.svg)]({site}/systems/{row.job_id}.html)"


def _spokes(capabilities: Iterable[CapabilityScore], t: Catalogue) -> list[Spoke]:
    return [
        Spoke(
            label=t(f"capability.{each.capability}"), score=each.score, low=each.interval.low, high=each.interval.high
        )
        for each in capabilities
        if each.score is not None and each.interval is not None
    ]
