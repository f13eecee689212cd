"""The board's pages in a real browser: what a reader can do with them, with and without a script, in both languages."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect
from tests.browser.chromium import needs_chromium, open_chromium, overhang, violations
from tests.factories import events
from tests.factories.boards import a_shown_board, some_systems
from tests.factories.results import a_gate, a_result, digest_of

from aml.contracts.seals import GatePassed
from aml.publisher.render_board import render_site
from aml.publisher.shown_board import Files, ShownBoard, Surroundings
from aml.rules.shared_ranks import Standing, shared_ranks
from aml.runtime.cycle_folder import load_cycles

pytestmark = needs_chromium

HOSTILE = '<img src=x onerror="document.title=1">{system} $& \u202egnp'
OPEN_SOURCE = "section[data-division=open_source]"
PAGES = ("index.html", "index.html?compare=j00,j05", "systems/j00.html", "cycles/index.html", "cycles/2026-2.html")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base class's own name
        pass


def gates() -> list[GatePassed]:
    """The believable field, one of them with a third capability, one short of a dataset, and a hostile name."""
    field = some_systems()
    first = field[0].result
    third = replace(first.datasets[0].categories[0], category="unanswerable", capability="abstention")
    datasets = (replace(first.datasets[0], categories=(*first.datasets[0].categories, third)), first.datasets[1])
    field[0] = replace(field[0], result=replace(first, datasets=datasets))
    return [
        *field,
        a_gate("partial", system="Partial", result=a_result(690_000, datasets={"locomo": 690_000}, planned=300)),
        a_gate(
            "hostile", system=HOSTILE, result=a_result(640_000, datasets={"locomo": 640_000, "longmemeval": 640_000})
        ),
    ]


@pytest.fixture(scope="module")
def shown() -> ShownBoard:
    return a_shown_board(gates())


def write(files: Files, folder: Path) -> None:
    for address, content in files.items():
        path = folder / address
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


@pytest.fixture(scope="module")
def site(shown: ShownBoard, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site of one board, and below it one of two boards and one of none."""
    told = events.told(at=1, version_id="version-j00", key_id="key-j00", organisation="Lethe Lab")
    around = Surroundings(cycles=load_cycles(), disclosures={"version-j00": told})
    other = a_shown_board([a_gate("b", release_digest=digest_of("autumn"))], title="Autumn", comparable=True)
    folder = tmp_path_factory.mktemp("site")
    write(render_site([shown], around), folder)
    write(render_site([shown, other], around), folder / "two")
    write(render_site([]), folder / "none")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder)) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        serving.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    page = browser.new_page()
    page.goto(site)
    yield page
    page.close()


def systems(page: Page, within: str = OPEN_SOURCE) -> list[str]:
    """Of the rows that are shown, in their order, baselines left out."""
    rows = page.locator(f"{within} tbody tr:not([data-guest]):visible th.system a")
    return [each.strip() for each in rows.all_inner_texts()]


def ranks(page: Page) -> list[int]:
    return [
        int(each)
        for each in page.locator(f"{OPEN_SOURCE} tbody tr:not([data-guest]):visible td.rank").all_inner_texts()
    ]


def expected_ranks(shown: ShownBoard, names: list[str]) -> list[int]:
    rows = [row for row in shown.board.rows if row.subject.division == "open_source" and row.subject.system in names]
    return shared_ranks([Standing(score=row.overall, low=row.interval.low, high=row.interval.high) for row in rows])


@pytest.mark.parametrize(
    ("language", "scheme", "size"),
    [
        ("", "light", (1280, 900)),
        ("zh/", "dark", (1280, 900)),
        ("", "dark", (390, 844)),
        ("zh/", "light", (390, 844)),
    ],
    ids=["en-light-desktop", "zh-dark-desktop", "en-dark-phone", "zh-light-phone"],
)
def test_every_page_is_accessible_fits_its_window_and_asks_nobody_else(
    browser: Browser, site: str, language: str, scheme: str, size: tuple[int, int]
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    complaints: list[str] = []
    asked: set[str] = set()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
    pages = [f"{language}{address}" for address in PAGES]
    for address in (*pages, f"two/{language}index.html", f"none/{language}index.html"):
        page.goto(f"{site}{address}")
        assert violations(page) == [], address
        assert overhang(page) <= 0, address
    assert complaints == []
    assert asked == {urlsplit(site).netloc}
    context.close()


def test_ranks_count_among_the_rows_that_a_filter_leaves(page: Page, shown: ShownBoard) -> None:
    assert ranks(page) == expected_ranks(shown, systems(page))
    assert len(systems(page)) == 7

    page.fill("[data-filter]", "rec")
    assert systems(page) == ["bm25s-recall"]
    assert ranks(page) == [1]

    page.fill("[data-filter]", "")
    page.locator("details.menu").first.click()
    page.fill("[data-min-n]", "400")
    assert "Partial" not in systems(page)
    assert ranks(page) == expected_ranks(shown, systems(page))
    page.check("[data-complete]")
    page.uncheck("[data-baselines]")
    assert page.locator(f"{OPEN_SOURCE} tr[data-guest]:visible").count() == 0
    assert "ranks among these" in page.inner_text("[data-filter-result]")


def test_a_division_can_be_chosen(page: Page) -> None:
    page.locator("details.menu").first.click()
    page.select_option("[data-division]", "commercial")

    assert page.locator("section[data-division]:visible").count() == 1
    assert len(systems(page, "section[data-division=commercial]")) == 3


@pytest.mark.parametrize("clicks", [1, 2])
def test_what_is_not_available_sorts_last_in_both_directions(page: Page, clicks: int) -> None:
    for _ in range(clicks):
        page.click(f"{OPEN_SOURCE} th[data-col='d.longmemeval'] button")

    head = page.locator(f"{OPEN_SOURCE} th[data-col='d.longmemeval']")
    assert head.get_attribute("aria-sort") == ("descending", "ascending")[clicks - 1]
    assert page.locator(f"{OPEN_SOURCE} th[aria-sort]").count() == 1
    assert systems(page)[-1] == "Partial"


def test_the_address_holds_the_view_and_brings_it_back(page: Page, browser: Browser) -> None:
    page.fill("[data-filter]", "e")
    page.click(f"{OPEN_SOURCE} th[data-col=p95] button")
    page.locator("details.menu").last.click()
    page.uncheck("[data-columns] input[value=tokens]")
    page.locator(f"{OPEN_SOURCE} tr[data-job=j01] .pick").check()
    before = (systems(page), ranks(page), page.inner_text("[data-filter-result]"))

    again = browser.new_page()
    again.goto(page.url)

    assert "q=e" in page.url
    assert again.locator("th[data-col=tokens]:visible").count() == 0
    assert again.locator(f"{OPEN_SOURCE} tr[data-job=j01] .pick").is_checked()
    assert (systems(again), ranks(again), again.inner_text("[data-filter-result]")) == before
    assert again.input_value("[data-filter]") == "e"
    assert not again.locator("[data-columns] input[value=tokens]").is_checked()
    again.click("[data-reset]")
    assert urlsplit(again.url).query == ""
    assert len(systems(again)) == 7
    assert again.locator("th[data-col=tokens]:visible").count() == 3
    again.close()


def test_chosen_rows_stand_side_by_side_with_their_capabilities(page: Page) -> None:
    page.locator(f"{OPEN_SOURCE} tr[data-job=j00] .pick").check()
    page.locator("section[data-division=commercial] tr[data-job=j05] .pick").check()

    table = page.locator("[data-compare] table")
    table.locator("th", has_text="abstention").wait_for()
    expect(table.locator("thead th").nth(1)).to_contain_text("Anamnesis")
    overall = table.locator("tbody tr").first.locator("td")
    assert overall.first.inner_text() == "78.4"
    assert overall.nth(1).inner_text().split() == ["80.1", "+1.7"]
    assert table.locator("tr", has_text="abstention").locator("td").nth(1).inner_text() == "—"

    page.click("[data-compare] button[aria-label='Remove Anamnesis']")
    assert table.locator("thead th").count() == 2
    page.click("[data-compare-clear]")
    assert not page.is_visible("[data-compare]")
    assert page.locator(".pick:checked").count() == 0


def test_a_ninth_row_does_not_fit_and_says_so(page: Page) -> None:
    for place in range(9):
        page.locator(".pick").nth(place).check() if place < 8 else page.locator(".pick").nth(place).click()

    assert page.locator(".pick:checked").count() == 8
    assert "At most eight" in page.inner_text("[data-compare-state]")


def test_a_hostile_name_stays_a_name(page: Page) -> None:
    page.locator("tr[data-job=hostile] .pick").check()

    assert page.title().startswith("Practice")
    assert page.locator("img").count() == 0
    label = page.locator("tr[data-job=hostile] .pick").get_attribute("aria-label")
    assert label == f"Compare {HOSTILE}"
    assert page.locator("[data-compare] thead th a").inner_text() == HOSTILE


def test_the_theme_that_was_chosen_outlasts_the_page(page: Page) -> None:
    page.click("[data-theme-toggle]")
    chosen = page.evaluate("document.documentElement.dataset.theme")
    page.reload()

    assert page.evaluate("document.documentElement.dataset.theme") == chosen


def test_the_badges_markdown_names_the_address_that_the_page_was_read_at(page: Page, site: str) -> None:
    for address in ("systems/j00.html", "zh/systems/j00.html"):
        page.goto(f"{site}{address}")
        assert f"({site}badges/j00.svg)]({site}systems/j00.html)" in page.inner_text("[data-snippet]")


def test_without_a_script_the_page_says_all_it_has_to_say(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}index.html")

    assert len(systems(page)) == 7
    assert page.locator("[data-controls]:visible, [data-compare]:visible, [data-theme-toggle]:visible").count() == 0
    assert page.locator("svg.scatter").count() == 2
    page.click("text=Anamnesis >> nth=0")
    assert page.locator("h1").inner_text().startswith("Anamnesis")
    assert page.locator("svg.radar").count() == 1
    context.close()


def test_a_page_that_was_opened_from_a_file_still_sorts(browser: Browser, shown: ShownBoard, tmp_path: Path) -> None:
    write(render_site([shown]), tmp_path)
    page = browser.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    page.click(f"{OPEN_SOURCE} th[data-col=system] button")
    page.locator(".pick").first.check()

    assert systems(page)[1] == "Anamnesis"
    assert page.is_visible("[data-compare]")
    page.close()
