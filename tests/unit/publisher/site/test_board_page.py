import html
import re

from tests.factories.boards import a_shown_board, some_systems
from tests.factories.read_pages import Page
from tests.factories.results import a_gate, a_result

from aml.publisher.render_board import render_site


def front(*gates: object) -> str:
    return html.unescape(render_site([a_shown_board(gates)])["index.html"].decode())  # type: ignore[arg-type]


def test_the_rank_that_is_shown_is_the_shared_one_and_the_rule_stands_beside_it() -> None:
    page = front(*some_systems())

    first = page[page.index("<tbody>") : page.index("</tbody>")]
    assert re.findall(r'<td class="rank"[^>]*>([^<]+)</td>', first) == ["–", "1", "1", "–", "3", "3", "3", "–"]
    assert "Rows that cannot be told from the first of their group share its rank." in page
    assert "(1, 1, 1, 4)" in page


def test_there_is_a_drawing_for_each_cost_and_a_table_with_the_same_figures() -> None:
    page = Page(front(*some_systems()))

    drawings = [each for each in page.all("svg") if each.get("role") == "img"]
    assert [each["aria-label"] for each in drawings] == ["Score against Search latency", "Score against context size"]
    columns = {each.get("data-col") for each in page.all("th")}
    assert {"p50", "p95", "tokens", "d.locomo", "d.longmemeval", "overall"} <= columns


def test_denominators_stand_once_where_they_are_all_the_same_and_in_each_cell_otherwise() -> None:
    same = front(a_gate("a", result=a_result(planned=120)), a_gate("b", result=a_result(planned=120)))
    differ = front(a_gate("a", result=a_result(planned=120)), a_gate("b", result=a_result(planned=90)))

    assert same.count("<small>120 / 120</small>") == 1
    assert same.count("120 of 120 scored") == 1
    assert (differ.count("<small>120 / 120</small>"), differ.count("<small>90 / 90</small>")) == (1, 1)


def test_what_a_filter_needs_is_on_the_row() -> None:
    row = next(each for each in Page(front(a_gate("a", result=a_result(700_000)))).all("tr") if "data-job" in each)

    assert {name: row[name] for name in ("id", "data-job", "data-n", "data-low", "data-high")} == {
        "id": "row-a", "data-job": "a", "data-n": "120", "data-low": "640000", "data-high": "754000",
    }  # fmt: skip
    assert "data-complete" in row


def test_what_works_only_with_a_script_is_hidden_without_one() -> None:
    page = Page(front(*some_systems()))

    for name in ("data-controls", "data-compare", "data-theme-toggle"):
        (found,) = [attributes for _, attributes in page.tags if name in attributes]
        assert "hidden" in found
    assert not [each for each in page.all("input") if each.get("class") == "pick"]
