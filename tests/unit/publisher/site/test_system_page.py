import html
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from tests.factories import events
from tests.factories.boards import a_shown_board
from tests.factories.read_pages import Page
from tests.factories.results import a_gate, a_result, digest_of

from aml.contracts.access import VersionDisclosed
from aml.contracts.seals import GatePassed
from aml.publisher.render_board import render_site
from aml.publisher.shown_board import Surroundings
from aml.publisher.site.system_page import badge_snippet, disclosed_fields, is_address


def told(**fields: str) -> VersionDisclosed:
    return events.told(at=1, version_id="version-a", key_id="key-a", **fields)


def page_of(gates: Sequence[GatePassed], job_id: str = "a", around: Surroundings | None = None) -> str:
    return html.unescape(
        render_site([a_shown_board(gates)], around or Surroundings())[f"systems/{job_id}.html"].decode()
    )


def the_same_system(gate: GatePassed, version: str, **fields: object) -> GatePassed:
    return replace(gate, subject=replace(gate.subject, key_id="key-a", version=version), **fields)


def test_what_was_disclosed_is_shown_in_the_applicants_words() -> None:
    disclosure = told(
        organisation="Lethe Lab", repository="https://git.example/lethe", commit="0123abc", method_changes="One.\nTwo."
    )

    page = page_of([a_gate("a")], around=Surroundings(disclosures={"version-a": disclosure}))

    assert '<a href="https://git.example/lethe" rel="noopener nofollow ugc">' in page
    for text in ("Lethe Lab", "0123abc", "One.\nTwo."):
        assert f"<bdi>{text}</bdi>" in page


def test_what_was_not_disclosed_is_said() -> None:
    assert "Nothing was disclosed" in page_of([a_gate("a")])
    assert "Nothing was disclosed" not in page_of([a_gate("a", division="baseline", arm="oracle")])


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)", "http://a.example", "https://", "https://user@host.example/", "https://a.example/ b",
        'https://a.example/"onclick=', "https://аррle.example/", "data:text/html,x", "//a.example", " https://a.example",
    ],
)  # fmt: skip
def test_only_a_plain_https_address_can_be_followed(text: str) -> None:
    assert not is_address(text)


def test_an_address_is_followed_and_empty_fields_are_left_out() -> None:
    assert disclosed_fields(told(repository=" https://a.example/x?y=1#z ", commit="  ")) == [
        ("repository", "https://a.example/x?y=1#z", True)
    ]
    assert disclosed_fields(None) == []


def test_earlier_results_of_the_system_are_its_history_and_nobody_elses() -> None:
    gates = [a_gate("a"), the_same_system(a_gate("b"), "2.0.0"), a_gate("c", system="Recall", version="9.9.9")]

    page = page_of(gates)

    assert '<a href="b.html"><bdi>2.0.0</bdi></a>' in page
    assert "9.9.9" not in page


def test_the_history_reaches_over_boards() -> None:
    before = the_same_system(a_gate("old", release_digest=digest_of("autumn")), "0.9.0")
    files = render_site([a_shown_board([a_gate("a")]), a_shown_board([before])])

    assert 'href="old.html"' in files["systems/a.html"].decode()
    assert 'href="a.html"' in files["systems/old.html"].decode()


def test_capabilities_have_a_radar_from_three_on_and_a_table_always() -> None:
    plain = a_result()
    (dataset,) = plain.datasets
    third = replace(dataset.categories[0], category="x", capability="abstention")
    more = replace(plain, datasets=(replace(dataset, categories=(*dataset.categories, third)),))

    two, three = page_of([a_gate("a")]), page_of([a_gate("a", result=more)])

    assert 'class="radar"' not in two
    assert 'class="radar" viewBox="0 0 500 340" role="img" aria-label=' in three
    for page, names in ((two, 2), (three, 3)):
        table = page[page.index('<caption class="sr">By capability') : page.index("</table>")]
        assert table.count('<th scope="row">') == names
        assert "/ 60" in table


def test_what_is_reported_apart_says_so() -> None:
    plain = a_result()
    (dataset,) = plain.datasets
    apart = replace(dataset.categories[0], in_overall=False)
    page = page_of([a_gate("a", result=replace(plain, datasets=(replace(dataset, categories=(apart,)),)))])

    assert "reported apart, not in Overall" in page


def test_the_badge_says_score_shared_rank_and_release() -> None:
    files = render_site([a_shown_board([a_gate("a", result=a_result(784_000)), a_gate("b", result=a_result(783_000))])])

    assert "Recall · 78.3 · rank 1 · practice" in files["badges/b.svg"].decode()
    assert '<img src="../badges/b.svg"' in files["systems/b.html"].decode()
    assert '<img src="../../badges/b.svg"' in files["zh/systems/b.html"].decode()


def test_a_baselines_badge_claims_no_rank() -> None:
    files = render_site([a_shown_board([a_gate("a", division="baseline", arm="oracle")])])

    assert "rank" not in files["badges/a.svg"].decode()


def test_the_snippet_is_markdown_that_leads_to_the_systems_page() -> None:
    (row,) = a_shown_board([a_gate("a", result=a_result(784_000))]).board.rows

    assert badge_snippet(row, "https://b.example") == (
        "[![AML 78.4, practice](https://b.example/badges/a.svg)](https://b.example/systems/a.html)"
    )
    assert "https://BOARD.example/badges/a.svg" in badge_snippet(row, None)


def test_a_name_that_turns_the_direction_stays_within_its_element_and_out_of_the_title() -> None:
    name = "abc\u202efdp.exe"
    text = page_of([a_gate("a", system=name)])

    assert f"<bdi>{name}</bdi>" in text
    title = text[text.index("<title>") : text.index("</title>")]
    assert "\u202e" not in title
    assert Page(text).all("bdi")
