import io

from rich.console import Console
from tests.factories.boards import a_shown_board
from tests.factories.results import a_gate, a_result

from aml.toolkit.demo.demo_print import board_table


def test_the_board_fits_into_a_terminal_of_80_columns() -> None:
    gates = [
        a_gate("a", system="SQLite FTS5", version="1", result=a_result(712_345, p95=120_000)),
        a_gate(
            "b", system="Oracle evidence", version="1", division="baseline", arm="oracle", result=a_result(p95=None)
        ),
    ]
    text = io.StringIO()
    Console(file=text, width=84).print(board_table(a_shown_board(gates).board))

    lines = text.getvalue().splitlines()
    assert lines[0].startswith("Board version 3 · release practice")
    assert [line.split()[0] for line in lines[2:]] == ["open", "1", "baseline", "1"]
    assert "SQLite FTS5 1" in lines[3]
    assert "71.2 (65.2 – 76.6)" in lines[3]
    assert "120 ms" in lines[3]
    assert lines[5].rstrip().endswith("—")
