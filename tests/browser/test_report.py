"""The report in a real browser: what a reader can do with it, with and without a script, on paper, in both languages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page
from tests.browser.chromium import needs_chromium, overhang, violations
from tests.factories.report_runs import a_suite_result
from tests.factories.suite_results import a_question, a_result

from aml.contracts.vocabulary import Language
from aml.toolkit.baselines.baseline import baseline_of
from aml.toolkit.report import ReferenceRow, write_report

pytestmark = [needs_chromium]

HOSTILE = """<img src=x onerror="document.title='no'"></div></details></script><script>document.title='no'</script> \u202egnp"""
WINDOWS = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`one`: a run and a baseline that it cannot be compared with. `many`: three runs, repeats, baselines, a hostile agent."""
    folder = tmp_path_factory.mktemp("reports")
    first = a_suite_result(agent="window of 50", right=0.9, seed=1, repeats=2, reaches=50)
    second = a_suite_result(agent="window of 20", right=0.8, seed=2, repeats=2, reaches=20)
    hostile = a_suite_result(
        agent=HOSTILE,
        right=0.6,
        seed=3,
        unscored=0.05,
        change=lambda record: replace(record, answer=record.answer and f"{HOSTILE} {record.answer}"),
    )
    kept = [baseline_of(first, "last week"), baseline_of(a_result([a_question()]), "another suite")]
    row = ReferenceRow(label="GPT-4o", overall=60.6, questions=500, source="Wu et al., figure 3(b)")
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        write_report([second], kept[1:], folder / f"one-{language}.html", language)
        write_report([first, second, hostile], kept, folder / f"many-{language}.html", language, references=[row])
    write_report([a_result([a_question()])], [], folder / "perfect-en.html")
    return folder


@pytest.fixture
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((folder / "many-en.html").as_uri())
    yield page
    page.close()


@pytest.mark.parametrize(
    ("name", "scheme", "window"),
    [
        ("many-en", "light", "desktop"),
        ("many-zh", "dark", "phone"),
        ("many-en", "dark", "desktop"),
        ("one-zh", "light", "desktop"),
        ("one-en", "dark", "phone"),
        ("perfect-en", "light", "phone"),
    ],
)
def test_it_is_accessible_fits_its_window_and_asks_nobody(
    browser: Browser, folder: Path, name: str, scheme: str, window: str
) -> None:
    context = browser.new_context(viewport=WINDOWS[window], color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    address = (folder / f"{name}.html").as_uri()
    page.goto(address)
    page.evaluate("for (const each of [...document.querySelectorAll('.question')].slice(0, 8)) each.open = true")

    assert violations(page) == []
    assert overhang(page) <= 0
    assert complaints == []
    assert [url for url in asked if not url.startswith("data:")] == [address]
    context.close()


def test_an_agents_words_never_become_markup(page: Page) -> None:
    page.locator("[data-open]").click()

    assert page.title() == "Agent memory report: standard"
    assert page.locator("img").count() == 0
    assert page.locator("body > script").count() == 1
    assert page.locator(".told", has_text="onerror").count() > 0


def test_unchecking_a_box_takes_a_run_out_of_chart_and_table(page: Page) -> None:
    overlay = page.locator(".overlay").first
    boxes = overlay.locator("input")
    assert boxes.count() == 5

    boxes.nth(1).focus()
    page.keyboard.press("Space")

    assert not overlay.locator("svg g.line-1").is_visible()
    assert not overlay.locator("td.line-1").first.is_visible()
    assert overlay.locator("svg g.line-0").is_visible()


def test_filters_narrow_the_questions_and_say_how_many_are_left(page: Page) -> None:
    every = page.locator(".question").count()

    page.locator("[data-filter=category]").select_option("abstention")
    shown = page.locator(".question:visible").count()

    assert 0 < shown < every
    assert page.locator("output").inner_text() == f"{shown} of {every} shown"
    assert page.locator("[data-group]:visible").count() == 1
    page.locator("[data-filter=outcome]").select_option("unscored")
    assert page.locator(".question:visible").count() < shown
    page.locator("[data-filter=category]").select_option("")
    assert set(page.locator(".question:visible").evaluate_all("all => all.map((e) => e.dataset.runs)")) >= {"2"}


def test_filters_by_run_and_by_what_fell(page: Page) -> None:
    page.locator("[data-filter=runs]").select_option("0")
    runs = page.locator(".question:visible").evaluate_all("all => all.map((e) => e.dataset.runs.split(' '))")
    assert runs
    assert all("0" in each for each in runs)

    page.locator("[data-filter=runs]").select_option("")
    page.locator("[data-filter=fell]").check()
    assert 0 < page.locator(".question:visible").count() < page.locator(".question").count()


def test_words_are_looked_for_in_all_that_a_question_says(page: Page) -> None:
    page.locator("input[type=search]").fill("TimeoutError THREE")
    assert page.locator(".question:visible").count() == page.locator(".question", has_text="TimeoutError").count() > 0

    page.locator("input[type=search]").fill("no question says this")
    assert page.locator(".question:visible").count() == 0
    assert page.locator("[data-group]:visible").count() == 0


def test_a_link_to_a_question_opens_it(page: Page) -> None:
    link = page.locator(".moved a").first
    anchor = str(link.get_attribute("href"))

    link.click()

    page.wait_for_function("anchor => document.querySelector(anchor).open", arg=anchor)
    assert page.locator(f"{anchor} .told").first.is_visible()


def test_a_question_opens_by_the_keyboard(page: Page) -> None:
    question = page.locator(".question").first
    question.locator("summary").focus()
    page.keyboard.press("Enter")
    assert question.get_attribute("open") is not None


def test_the_colours_can_be_chosen(page: Page) -> None:
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("[data-theme]").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before


def test_without_a_script_everything_is_said_and_nothing_useless_is_shown(browser: Browser, folder: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / "many-en.html").as_uri())

    assert not page.locator("[data-filters]").is_visible()
    assert not page.locator("[data-theme]").is_visible()
    question = page.locator(".question").first
    question.locator("summary").click()
    assert question.locator(".told").first.is_visible()
    overlay = page.locator(".overlay").first
    overlay.locator("input").first.uncheck()
    assert not overlay.locator("svg g.line-0").is_visible()
    context.close()


def test_on_paper_every_question_is_open_and_controls_are_gone(page: Page) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert page.locator(".question:not([open])").count() == 0
    assert not page.locator("[data-filters]").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".question[open]").count() == 0
