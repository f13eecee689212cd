"""A board's page: its tables, what its scores cost, and what a comparison starts from."""

from collections.abc import Callable, Sequence

from markupsafe import Markup

from aml.contracts.boards import BoardRow
from aml.publisher import formats
from aml.publisher.catalogue import Catalogue
from aml.publisher.charts import Axis, Mark, Reference, score_scatter
from aml.publisher.division_tables import dataset_names, division_tables, is_complete, tokens_per_question
from aml.publisher.plain_text import isolated
from aml.publisher.shown_board import Files, ShownBoard, Surroundings

from .pages import Pages

Cost = Callable[[BoardRow], int | None]


def board_page(pages: Pages, shown: ShownBoard, around: Surroundings, *, many: bool) -> Files:
    """`many`: there is a list of boards to go back to."""
    board = shown.board
    t = pages.t
    names = dataset_names(board)
    address = f"{shown.board_id}.html"
    return pages.page(
        address,
        "board.html",
        shown=shown,
        board=board,
        cycle=around.cycle_of(board),
        many=many,
        tables=division_tables(board),
        datasets=names,
        complete={row.job_id for row in board.rows if is_complete(row, names)},
        organisations={row.job_id: around.organisation(row) for row in board.rows},
        private=any(row.subject.allow_private for row in board.rows),
        has_baselines=any(row.subject.division == "baseline" for row in board.rows),
        kinds=[
            kind for kind in ("open_source", "commercial") if any(row.subject.division == kind for row in board.rows)
        ],
        tree_size=board.checkpoint.split("\n")[1] if board.checkpoint else "0",
        when=latest_approval([shown]),
        charts=[each for each in _charts(board.rows, t) if each[1] is not None],
    )


def latest_approval(boards: Sequence[ShownBoard]) -> str | None:
    """A page's time is that of its latest approval: rendering again changes nothing."""
    times = [row.approved_at for shown in boards for row in shown.board.rows]
    return formats.utc_minute(max(times)) if times else None


def _charts(rows: Sequence[BoardRow], t: Catalogue) -> list[tuple[str, Markup | None]]:
    """Each by the name that its wording has in the catalogue."""
    return [
        ("latency", _scatter(rows, t, "latency", lambda row: row.search.p95, formats.latency_tick)),
        ("context", _scatter(rows, t, "context", tokens_per_question, formats.tokens_tick)),
    ]


def _scatter(
    rows: Sequence[BoardRow], t: Catalogue, name: str, cost: Cost, tick: Callable[[int], str]
) -> Markup | None:
    marks = [
        Mark(
            label=isolated(row.subject.system),
            kind=row.subject.division,
            score=row.overall,
            low=row.interval.low,
            high=row.interval.high,
            cost=found,
        )
        for row in rows
        if row.subject.division != "baseline" and (found := cost(row)) is not None
    ]
    baselines = [
        Reference(label=t(f"arm.{row.subject.arm}"), score=row.overall)
        for row in rows
        if row.subject.division == "baseline"
    ]
    axis = Axis(title=t(f"chart.{name}.x"), tick=tick)
    return score_scatter(marks, baselines, title=t(f"chart.{name}.title"), axis=axis, y_title=t("chart.y"))
