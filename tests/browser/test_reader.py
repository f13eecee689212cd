"""A reader of the platform's own board: finds a row, narrows, compares, and follows it to its proof. No key, no script needed."""

import json
from urllib.parse import urljoin
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import expect
from tests.browser.chromium import needs_chromium
from tests.browser.conftest import Published, Visit
from tests.browser.look import A_JOURNEY_EACH, Look
from tests.browser.visitor import Visitor

pytestmark = [needs_chromium, pytest.mark.stack]

ROWS = "section[data-division=open_source] tbody tr:not([data-guest]):visible"


def names(visitor: Visitor) -> list[str]:
    """As text: what is below the window is not painted, and has no inner text before it is."""
    return [name.strip() for name in visitor.find(f"{ROWS} th.system a").all_text_contents()]


@pytest.mark.parametrize("look", A_JOURNEY_EACH, ids=str)
def test_from_the_front_page_to_a_proof(visit: Visit, published: Published, look: Look) -> None:
    reader = visit(look)
    page = reader.page
    reader.go("/leaderboard")
    reader.find(".preview thead a").first.click()
    expect(reader.find("html")).to_have_attribute("data-ready", "board")
    everybody = names(reader)
    assert {"Anamnesis", "Recall"} < set(everybody)

    reader.find("th[data-col=system] button").first.click()
    assert names(reader) == sorted(everybody, key=str.casefold) or names(reader) != everybody
    reader.find("[data-filter]").fill("mnemosyne")
    assert names(reader) == ["Recall"]
    expect(reader.find(f"{ROWS} td.rank")).to_have_text("1")
    view = page.url
    page.reload()
    assert page.url == view
    assert names(reader) == ["Recall"]
    reader.look_over("board-filtered")
    reader.find("[data-reset]").click()
    assert names(reader) == everybody

    reader.find("details.menu summary").last.click()
    reader.find("[data-columns] input[value=tokens]").uncheck()
    expect(reader.find("th[data-col=tokens]:visible")).to_have_count(0)
    reader.find("details.menu summary").last.click()
    for job_id in (published.first_job, published.second_job):
        reader.find(f"tr[data-job='{job_id}'] .pick").first.check()
    expect(reader.find("[data-compare] thead th")).to_have_count(3)

    reader.find(f"tr[data-job='{published.first_job}'] th.system a").first.click()
    expect(reader.find("h1")).to_contain_text("Anamnesis")
    expect(reader.find("main")).to_contain_text("Lethe Lab")
    assert reader.find("svg.radar").count() == 1
    page.click("[data-portal]")
    expect(reader.find(".hero h1")).to_be_visible()
    assert page.url.rstrip("/") == f"{reader.origin}{look.address('/')}".rstrip("/")


def test_every_file_that_the_board_names_is_there(visit: Visit, published: Published) -> None:
    reader = visit(script=False)
    reader.go(f"/board/systems/{published.first_job}.html")
    request = reader.context.request
    everything = reader.page.eval_on_selector_all("a[href], img[src]", "all => all.map(each => each.href ?? each.src)")
    addresses = [address for address in everything if address.startswith(reader.origin)]

    assert len(addresses) > 8
    for address in addresses:
        assert request.get(address).status == 200, address
    badge = request.get(f"{reader.origin}/board/badges/{published.first_job}.svg")
    assert badge.headers["content-type"].startswith("image/svg")
    ET.fromstring(badge.text())
    proof = request.get(f"{reader.origin}/board/proofs/{published.first_job}.json")
    assert json.loads(proof.text())["entry"]


def test_the_feed_tells_of_each_row(visit: Visit, published: Published) -> None:
    reader = visit()
    reader.go("/board/index.html")
    address = urljoin(reader.page.url, reader.find("link[type='application/atom+xml']").get_attribute("href") or "")

    feed = ET.fromstring(reader.context.request.get(address).text())

    atom = "{http://www.w3.org/2005/Atom}"
    titles = [entry.findtext(f"{atom}title") or "" for entry in feed.iter(f"{atom}entry")]
    assert any("Anamnesis" in title for title in titles)


def test_with_scripts_off_a_reader_gets_from_the_front_page_to_a_system(visit: Visit, published: Published) -> None:
    reader = visit(script=False)
    reader.go("/")
    reader.find(".preview thead a").first.click()
    reader.see(f"{ROWS} th.system a >> nth=0")
    assert {"Anamnesis", "Recall"} < set(names(reader))

    reader.find(f"{ROWS} th.system a", "Anamnesis").click()

    expect(reader.find("h1")).to_contain_text("Anamnesis")
    reader.find("nav a", "Cycles").click()
    reader.find("main a").first.click()
    assert reader.find("main time").count() >= 3
