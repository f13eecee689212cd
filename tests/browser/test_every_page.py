"""Every page in both languages, light and dark, on a desktop and a phone: accessible, within its window, photographed."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from tests.browser.chromium import needs_chromium
from tests.browser.conftest import Published, Visit
from tests.browser.look import A_JOURNEY_EACH, SIZES, Look, Scheme, Window
from tests.browser.platform_door import PlatformDoor
from tests.browser.visitor import Visitor

pytestmark = [needs_chromium, pytest.mark.stack]

OPEN_PAGES = ("/", "/leaderboard", "/evaluation", "/participate", "/docs", "/api-guide", "/provide-benchmark")


def in_both_schemes(visitor: Visitor, name: str) -> None:
    """Colours are the same in every language and window, so that each scheme's are judged once: English light, Chinese dark."""
    schemes: tuple[Scheme, Scheme] = ("light", "dark") if visitor.look.language == "en" else ("dark", "light")
    first, other = schemes
    visitor.turn(first)
    visitor.look_over(name, colours=visitor.look.window == "desktop")
    visitor.turn(other)
    visitor.photograph(name)


@pytest.mark.parametrize("window", SIZES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_pages_that_anybody_may_read(visit: Visit, published: Published, language: str, window: Window) -> None:
    visitor = visit(Look(language, "light", window))  # type: ignore[arg-type]
    titles = set()
    for path in OPEN_PAGES:
        visitor.go(path)
        titles.add(visitor.page.title())
        in_both_schemes(visitor, path.strip("/") or "home")
        expect(visitor.find("html")).to_have_attribute("lang", "en" if language == "en" else "zh-Hans")
    assert len(titles) == len(OPEN_PAGES)


@pytest.mark.parametrize("look", A_JOURNEY_EACH, ids=str)
def test_the_reference_whose_rules_take_seconds(visit: Visit, look: Look) -> None:
    visitor = visit(look)
    visitor.go("/api-reference")
    visitor.find("details.operation summary").first.click()
    visitor.look_over("api-reference")


@pytest.mark.parametrize("window", SIZES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_pages_of_the_public_board(visit: Visit, published: Published, language: str, window: Window) -> None:
    visitor = visit(Look(language, "light", window))  # type: ignore[arg-type]
    for name, path in (
        ("board", "/board/index.html"),
        ("board-compare", f"/board/index.html?compare={published.first_job},{published.second_job}"),
        ("system", f"/board/systems/{published.first_job}.html"),
        ("cycles", "/board/cycles/index.html"),
        ("cycle", "/board/cycles/2026-2.html"),
    ):
        visitor.go(path)
        in_both_schemes(visitor, name)


def results_and_a_question(visitor: Visitor, published: Published) -> None:
    visitor.go(f"/evaluation?job={published.later_job}&with={published.first_job}")
    visitor.see("#comparison-answer")
    visitor.find("#question-rows button").first.click()
    visitor.see("#question")


def review_file(visitor: Visitor, published: Published) -> None:
    visitor.go(f"/review?review={published.waiting_job}")
    visitor.see("#file")


def overview(visitor: Visitor, published: Published) -> None:
    visitor.go("/operate")
    visitor.see("#keys tr >> nth=0")


CONSOLES: dict[str, tuple[Callable[[Visitor, Published], None], bool]] = {
    "evaluation-results": (results_and_a_question, False),
    "review-file": (review_file, True),
    "operate-overview": (overview, True),
}


@pytest.mark.parametrize("window", SIZES)
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("console", CONSOLES)
def test_pages_behind_a_key(
    visit: Visit, door: PlatformDoor, published: Published, console: str, language: str, window: Window
) -> None:
    opens, operator = CONSOLES[console]
    key = door.operator_key if operator else published.first.key
    visitor = visit(Look(language, "light", window), key=key)  # type: ignore[arg-type]
    opens(visitor, published)
    in_both_schemes(visitor, console)
    assert key not in visitor.page.url


@pytest.mark.parametrize("path", ["/evaluation", "/participate", "/provide-benchmark", "/review", "/operate"])
def test_without_a_script_a_page_says_which_commands_do_the_same(visit: Visit, path: str) -> None:
    visitor = visit(script=False)
    visitor.go(path)

    assert re.search(r"\baml (smoke|apply|review)|curl -sS", visitor.page.inner_text("main"))
    assert visitor.find("[data-theme-toggle]:visible").count() == 0


def test_the_language_switch_keeps_the_page_and_what_it_shows(visit: Visit, published: Published) -> None:
    visitor = visit(key=published.first.key)
    visitor.go(f"/evaluation?job={published.first_job}&outcome=incorrect")
    visitor.see("#results")

    visitor.page.click("[data-language-switch]")

    visitor.see("#results")
    assert visitor.page.url.endswith(f"/zh/evaluation?job={published.first_job}&outcome=incorrect")
    assert visitor.page.input_value("#filter-outcome") == "incorrect"


def test_a_chosen_theme_outlasts_the_page_and_holds_on_the_board(visit: Visit, published: Published) -> None:
    visitor = visit()
    visitor.go("/")
    visitor.page.click("[data-theme-toggle]")

    for path in ("/docs", "/board/index.html"):
        visitor.go(path)
        expect(visitor.find("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize("address", ["/", "/zh/docs", "/assets/portal.css", "/board/", "/board/style.css"])
def test_a_head_request_answers_as_the_page_would(visit: Visit, published: Published, address: str) -> None:
    request = visit().context.request
    origin = visit().origin

    asked, read = request.head(f"{origin}{address}"), request.get(f"{origin}{address}")

    assert asked.status == read.status == 200
    assert asked.body() == b""
    for name in ("content-type", "content-security-policy", "cache-control", "etag"):
        assert asked.headers.get(name) == read.headers.get(name)
