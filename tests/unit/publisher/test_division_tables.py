from tests.factories.boards import a_shown_board, some_systems
from tests.factories.results import a_gate, a_result

from aml.publisher.division_tables import dataset_names, division_tables


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


def test_a_shared_rank_is_known_as_such() -> None:
    [open_source, *_] = division_tables(a_shown_board(some_systems()).board)

    assert {line.row.subject.system for line in open_source.lines if line.shared} == {"fts5-notes", "bm25s-recall"}


def test_tokens_are_a_question_and_rounded() -> None:
    [table] = division_tables(a_shown_board([a_gate(result=a_result(planned=120, context_tokens=1_000))]).board)

    assert table.lines[0].tokens == 8
    assert (table.lines[0].scored, table.lines[0].planned) == (120, 120)


def test_dataset_columns_keep_the_releases_order() -> None:
    assert dataset_names(a_shown_board(some_systems()).board) == ("locomo", "longmemeval")
