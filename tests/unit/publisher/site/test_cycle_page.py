import html

from msgspec.structs import replace
from tests.factories.boards import a_shown_board
from tests.factories.results import a_gate

from aml.contracts.cycle import Cycle
from aml.contracts.release import Quotas, Release
from aml.publisher.render_board import render_site
from aml.publisher.shown_board import Surroundings
from aml.publisher.site.cycle_page import pool_of, shown_tracks
from aml.runtime.cycle_folder import load_cycles
from aml.runtime.release_folder import bundled_releases, load_release

(CYCLE,) = load_cycles()


def practice() -> Release:
    return load_release(bundled_releases()["practice"]).release


def running(release_id: str) -> Cycle:
    return replace(CYCLE, tracks=tuple(replace(each, release_id=release_id) for each in CYCLE.tracks))


def page_of(around: Surroundings, address: str = "cycles/2026-2.html") -> str:
    return html.unescape(render_site([a_shown_board([a_gate("a")])], around)[address].decode())


def test_dates_are_shown_in_utc_and_as_they_were_announced() -> None:
    page = page_of(Surroundings(cycles=(CYCLE,)))

    for text in ("2026-09-19 16:00 UTC", "2026-09-20 00:00 UTC+8", "2026-11-04 15:59 UTC", "mid-November 2026"):
        assert text in page
    assert '<time datetime="2026-10-31T15:59:00Z">' in page


def test_prizes_add_up_and_name_their_division_and_who_decides() -> None:
    page = page_of(Surroundings(cycles=(CYCLE,)))

    for text in ("150,000 CNY in all.", "Textual track · 50,000 CNY", "Best technical innovation", "the jury"):
        assert text in page
    assert page.count("<td>Open-source methods</td>") == 12
    assert "<td>Commercial products</td>" not in page


def test_a_cycle_without_prizes_has_no_table_of_them() -> None:
    assert 'id="prizes"' not in page_of(Surroundings(cycles=(replace(CYCLE, prizes=()),)))


def test_sums_are_by_currency() -> None:
    dollars = replace(CYCLE.prizes[0], currency="USD", places=2, amount=100)

    assert pool_of((*CYCLE.prizes[:1], dollars)) == "20,000 CNY + 200 USD"


def test_the_releases_quotas_bind_and_the_announced_ones_stand_in_for_them() -> None:
    release = practice()
    around = Surroundings(cycles=(CYCLE,), releases={"practice": release})

    assert {each.quotas.full_per_cycle for each in shown_tracks(running("practice"), [], around)} == {100}
    assert {each.quotas for each in shown_tracks(CYCLE, [], around)} == {Quotas()}
    assert {each.quotas for each in shown_tracks(running("gone"), [], around)} == {Quotas()}


def test_a_track_leads_to_the_board_of_its_release_and_back() -> None:
    shown = a_shown_board([a_gate("a")])
    files = render_site([shown], Surroundings(cycles=(running("practice"),)))

    assert f'href="../{shown.board_id}.html"' in files["cycles/2026-2.html"].decode()
    assert 'href="cycles/2026-2.html">Cycle 2 · 2026' in files["index.html"].decode()
    assert 'href="cycles/2026-2.html">第二期 · 2026' in files["zh/index.html"].decode()


def test_a_contact_is_shown_or_its_absence_is() -> None:
    given = replace(CYCLE, contact="ask@organiser.example", repository="https://git.example/challenge")

    assert "has not given an address" in page_of(Surroundings(cycles=(CYCLE,)))
    page = page_of(Surroundings(cycles=(given,)))
    assert "ask@organiser.example" in page
    assert 'href="https://git.example/challenge"' in page


def test_both_languages_have_all_of_it() -> None:
    page = page_of(Surroundings(cycles=(CYCLE,)), "zh/cycles/2026-2.html")

    for text in ("最佳技术创新奖", "2026 年 11 月中旬", "评审团", "总额 150,000 CNY。"):
        assert text in page


def test_without_cycles_there_is_no_page_and_no_link_to_one() -> None:
    files = render_site([a_shown_board([a_gate("a")])])

    assert not any(address.startswith("cycles/") for address in files)
    assert "cycles/" not in files["index.html"].decode()
