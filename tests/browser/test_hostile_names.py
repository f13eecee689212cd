"""Names that are HTML, format strings and right-to-left text stay text on every page that shows them."""

import pytest
from playwright.sync_api import expect
from tests.browser.chromium import needs_chromium
from tests.browser.conftest import HOSTILE, Published, Visit
from tests.browser.look import A_JOURNEY_EACH, Look
from tests.browser.platform_door import PlatformDoor
from tests.browser.visitor import Visitor

from aml.gateway.keys.bodies import KeyOrder

pytestmark = [needs_chromium, pytest.mark.stack]


def shows_it_as_text(visitor: Visitor, name: str) -> None:
    assert HOSTILE in (visitor.page.text_content("body") or ""), name
    assert visitor.find("img[src=x], body script:not([src])").count() == 0
    assert visitor.page.title() not in ("1", "2")
    visitor.photograph(f"hostile-{name}")


@pytest.mark.parametrize("look", A_JOURNEY_EACH, ids=str)
def test_pages_that_anybody_may_read(visit: Visit, published: Published, look: Look) -> None:
    visitor = visit(look)
    for name, path in (
        ("home", "/"),
        ("leaderboard", "/leaderboard"),
        ("board", f"/board/index.html?compare={published.hostile_job},{published.first_job}"),
        ("system", f"/board/systems/{published.hostile_job}.html"),
    ):
        visitor.go(path)
        shows_it_as_text(visitor, name)


@pytest.mark.parametrize("look", A_JOURNEY_EACH, ids=str)
def test_pages_behind_a_key(visit: Visit, door: PlatformDoor, published: Published, look: Look) -> None:
    owner = visit(look, key=published.hostile.key)
    owner.go(f"/evaluation?job={published.hostile_job}")
    owner.see("#results")
    shows_it_as_text(owner, "evaluation")

    operator = visit(look, key=door.operator_key)
    operator.go(f"/review?review={published.hostile_job}")
    operator.see("#file")
    shows_it_as_text(operator, "review")
    door.ask(lambda platform: platform.create_key(KeyOrder(role="reviewer", label=HOSTILE)))
    operator.go("/operate")
    operator.see("#keys tr >> nth=0")
    shows_it_as_text(operator, "operate")


def test_a_search_field_and_an_address_are_no_way_in(visit: Visit, published: Published) -> None:
    visitor = visit(key=published.first.key)
    visitor.go(
        "/board/index.html?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&sort=%3Cscript%3E&compare=%22%3E%3Cimg%20src%3Dx%3E"
    )
    expect(visitor.find("html")).to_have_attribute("data-ready", "board")
    assert visitor.find("img[src=x]").count() == 0

    visitor.go(f"/evaluation?job={published.first_job}&q=%3Cimg%20src%3Dx%3E&unit=../../me&offset=-5&with=%3Cb%3E")
    visitor.see("#questions")
    assert visitor.find("img[src=x]").count() == 0

    visitor.go("/evaluation?job=../operator/overview")
    visitor.see("#job-form")
