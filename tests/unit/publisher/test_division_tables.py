from msgspec.structs import replace
from tests.factories.boards import a_shown_board, some_systems
from tests.factories.results import a_gate, a_result

from aml.publisher.division_tables import Column, dataset_names, division_tables, is_complete


def test_baselines_are_guests_at_their_scores_place_and_have_a_table_of_their_own() -> None:
    tables = division_tables(a_shown_board(some_systems()).board)

    assert [table.division for table in tables] == ["open_source", "commercial", "baseline"]
    shown = [(line.row.subject.system, line.guest) for line in tables[1].lines]
    assert shown == [
        ("Oracle", True),
        ("Mnemosyne Cloud", False),
        ("Evergreen Memory", False),
        ("Full context", True),
        ("Ledgerly", False),
        ("No memory", True),
    ]
    assert [line.guest for line in tables[2].lines] == [False, False, False]


def test_rows_whose_intervals_reach_the_leaders_share_its_rank() -> None:
    [open_source, *_] = division_tables(a_shown_board(some_systems()).board)

    found = [(line.row.subject.system, line.rank, line.shared) for line in open_source.lines if not line.guest]
    assert found == [
        ("Anamnesis", 1, True),
        ("Palimpsest", 1, True),
        ("fts5-notes", 3, True),
        ("bm25s-recall", 3, True),
        ("Threadkeeper (graph)", 3, True),
    ]


def test_a_rank_of_its_own_is_known_as_such() -> None:
    gates = [a_gate("a", result=a_result(900_000, margin=1_000)), a_gate("b", result=a_result(500_000, margin=1_000))]
    [table] = division_tables(a_shown_board(gates).board)

    assert [(line.rank, line.shared) for line in table.lines] == [(1, False), (2, False)]


def test_tokens_are_a_question_and_rounded() -> None:
    [table] = division_tables(a_shown_board([a_gate(result=a_result(planned=120, context_tokens=1_000))]).board)

    assert table.lines[0].tokens == 8
    assert table.lines[0].counts == (120, 120)


def test_counts_that_all_rows_have_belong_to_the_column() -> None:
    same = [a_gate(f"j{n}", result=a_result(planned=120)) for n in range(2)]
    [table] = division_tables(a_shown_board(same).board)
    [other] = division_tables(a_shown_board([*same, a_gate("k", result=a_result(planned=90))]).board)

    assert (table.columns, table.counts) == ((Column(name="practice", counts=(120, 120)),), (120, 120))
    assert (other.columns, other.counts) == ((Column(name="practice", counts=None),), None)


def test_a_row_without_a_dataset_of_the_board_is_not_complete() -> None:
    board = a_shown_board([*some_systems(), a_gate("other")]).board
    names = dataset_names(board)

    assert not any(is_complete(row, names) for row in board.rows)
    assert is_complete(board.rows[0], ("locomo", "longmemeval"))


def test_an_unscored_question_makes_a_row_incomplete() -> None:
    [row] = a_shown_board([a_gate()]).board.rows
    (dataset,) = row.datasets
    partial = replace(row, datasets=(replace(dataset, tally=replace(dataset.tally, scored=119, unscored=1)),))

    assert is_complete(row, ("practice",))
    assert not is_complete(partial, ("practice",))


def test_dataset_columns_keep_the_releases_order() -> None:
    assert dataset_names(a_shown_board(some_systems()).board) == ("locomo", "longmemeval")
