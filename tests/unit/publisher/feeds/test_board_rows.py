import msgspec
from tests.factories import events
from tests.factories.boards import a_shown_board, some_systems
from tests.factories.results import a_gate

from aml.publisher.feeds.board_rows import ShownRows, board_rows, board_rows_json
from aml.publisher.shown_board import Surroundings, board_digest
from aml.runtime.cycle_folder import load_cycles


def rows_of(*, around: Surroundings | None = None) -> ShownRows:
    return board_rows(a_shown_board(some_systems()), around or Surroundings())


def test_it_says_which_record_it_follows_from() -> None:
    shown = a_shown_board(some_systems())

    assert board_rows(shown, Surroundings()).digest == board_digest(shown.board)


def test_the_strict_rank_and_the_shared_one_stand_beside_each_other() -> None:
    found = {row.system: (row.rank, row.shared_rank) for row in rows_of().rows}

    assert found["fts5-notes"] == found["bm25s-recall"] == (3, 3)
    assert (found["Palimpsest"], found["Threadkeeper (graph)"]) == ((2, 1), (5, 3))


def test_a_row_has_its_capabilities_with_denominators() -> None:
    row = rows_of().rows[0]

    assert set(row.capabilities) == {"fact_recall", "temporal"}
    assert (row.capabilities["temporal"].scored, row.capabilities["temporal"].planned) == (500, 500)
    assert set(row.datasets) == {"locomo", "longmemeval"}


def test_it_reads_back_and_is_the_same_each_time() -> None:
    data = board_rows_json(rows_of())

    assert msgspec.json.decode(data, type=ShownRows) == rows_of()
    assert board_rows_json(rows_of()) == data


def test_a_disclosure_counts_only_under_the_key_that_the_version_is_bound_to() -> None:
    def organisation(key_id: str) -> str | None:
        told = events.told(at=1, version_id="version-a", key_id=key_id, organisation="Recall Lab")
        shown = a_shown_board([a_gate("a")])
        return board_rows(shown, Surroundings(disclosures={"version-a": told})).rows[0].organisation

    assert organisation("key-a") == "Recall Lab"
    assert organisation("key-b") is None


def test_a_board_belongs_to_the_cycle_whose_release_it_stands_under() -> None:
    (cycle,) = load_cycles()
    tracks = tuple(msgspec.structs.replace(each, release_id="practice") for each in cycle.tracks)
    running = msgspec.structs.replace(cycle, tracks=tracks)

    assert rows_of(around=Surroundings(cycles=(running,))).cycle_id == "2026-2"
    assert rows_of(around=Surroundings(cycles=(cycle,))).cycle_id is None
