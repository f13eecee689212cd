import csv
import io

from tests.factories.boards import a_shown_board, some_systems
from tests.factories.results import a_gate, a_result

from aml.publisher.feeds.board_csv import board_csv


def rows_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode())))


def test_a_line_holds_the_row_with_its_denominators() -> None:
    gate = a_gate("a", system="Recall", result=a_result(712_345, planned=120, p95=6_400))

    [line] = rows_of(board_csv(a_shown_board([gate]).board))

    assert line["overall"] == "0.712345"
    assert (line["practice_score"], line["practice_scored"], line["practice_planned"]) == ("0.712345", "120", "120")
    assert line["search_p95_ms"] == "6.400"
    assert (line["rank"], line["system"], line["approved_at"]) == ("1", "Recall", "2026-03-01T00:00:00Z")


def test_what_is_not_available_is_empty_and_not_zero() -> None:
    lines = rows_of(board_csv(a_shown_board([*some_systems(), a_gate("other")]).board))

    by_job = {line["job_id"]: line for line in lines}
    assert by_job["arm-oracle"]["search_p50_ms"] == ""
    assert by_job["other"]["locomo_score"] == ""
    assert by_job["j00"]["practice_score"] == ""


def test_a_name_is_never_a_formula_and_never_breaks_a_line() -> None:
    names = ['=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", 'a "quoted", name\nover two lines']

    lines = rows_of(board_csv(a_shown_board([a_gate(f"j{n}", system=name) for n, name in enumerate(names)]).board))

    assert [line["system"] for line in lines] == [f"'{name}" for name in names[:4]] + names[4:]
