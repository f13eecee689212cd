"""A reviewer: the queue, a file with all that a decision needs, the step before it, and systems that are their own."""

import pytest
from playwright.sync_api import expect
from tests.browser.chromium import needs_chromium
from tests.browser.conftest import Published, Visit
from tests.browser.look import Look
from tests.browser.platform_door import PlatformDoor

from aml.gateway.keys.bodies import KeyOrder
from aml.gateway.review.bodies import ReviewerLinkOrder

pytestmark = [needs_chromium, pytest.mark.stack]

LOOKS = (Look("en", "dark", "desktop"), Look("zh", "light", "phone"))


@pytest.fixture(scope="module")
def undecided(door: PlatformDoor, published: Published, memory_url: str) -> tuple[str, ...]:
    """A result a look that waits for a decision, of the code that a published system has."""
    entrants = [
        door.enter(memory_url, system="Recollect", version=str(place), organisation=f"Copyists {place}")
        for place, _ in enumerate(LOOKS)
    ]
    return tuple(door.prove(entrant, f"to review {place}") for place, entrant in enumerate(entrants))


@pytest.mark.parametrize("place", range(len(LOOKS)), ids=[str(look) for look in LOOKS])
def test_a_result_is_read_noted_and_decided(
    visit: Visit, door: PlatformDoor, undecided: tuple[str, ...], place: int
) -> None:
    key = door.ask(lambda operator: operator.create_key(KeyOrder(role="reviewer", label=f"Reader {place}"))).key
    reviewer = visit(LOOKS[place])
    page = reviewer.page
    reviewer.go("/review")
    reviewer.enter_key(key)
    assert page.input_value("#key") == ""

    reviewer.find("#reviews tr", f"to review {place}").locator("button").click()
    reviewer.see("#file-title", "Recollect")
    expect(reviewer.find("#file-title")).to_be_focused()
    for part in ("gate-checks", "fair-play", "duplicates", "similar"):
        assert reviewer.find(f"#{part} li").count() > 0, part
    expect(reviewer.find("#duplicates")).to_contain_text("Anamnesis")
    expect(reviewer.find("#file-application")).to_contain_text("https://git.example/recollect")

    page.fill("#note-text", "Same method as the run before.\nSecond line & <b>not bold</b>.")
    page.dblclick("#note-form button")
    expect(reviewer.find("#notes li")).to_have_count(1)
    expect(reviewer.find("#notes")).to_contain_text("<b>not bold</b>")

    page.click("#file-actions [data-decision=decline]")
    page.click("#confirm button[value=yes]")
    reviewer.see("#confirm [data-slot=problem]")
    reviewer.look_over("decision-without-reason")
    page.keyboard.press("Escape")
    expect(reviewer.find("#confirm")).to_be_hidden()
    expect(reviewer.find("#decisions .tag")).to_have_count(0)

    page.click("#file-actions [data-decision=ask_for_more]")
    reviewer.confirm("Which tokenizer was used?")
    expect(reviewer.find("#decisions .tag")).to_have_count(1)
    page.click("#file-actions [data-decision=decline]")
    reviewer.confirm("No answer came.")
    expect(reviewer.find("#decisions .tag")).to_have_count(2)
    expect(reviewer.find("#reviews tr", f"to review {place}")).to_have_count(0)
    page.select_option("#reviews-state", "decline")
    expect(reviewer.find("#reviews tr", f"to review {place}")).to_have_count(1)
    reviewer.look_over("declined")


def test_nobody_reviews_a_system_of_their_own_organisation(
    visit: Visit, door: PlatformDoor, published: Published
) -> None:
    mine = door.ask(lambda operator: operator.create_key(KeyOrder(role="reviewer", label="Of the lab")))
    order = ReviewerLinkOrder(organisation=published.first.organisation)
    door.ask(lambda operator: operator.link_reviewer(mine.key_id, order))
    reviewer = visit(key=mine.key)

    reviewer.go(f"/review?review={published.waiting_job}")

    reviewer.see("#own-system")
    assert reviewer.find("#file-actions [data-decision]:visible").count() == 0
    reviewer.look_over("own-system")


@pytest.mark.parametrize("page", ["/review", "/operate"])
def test_a_participants_key_opens_no_console(visit: Visit, published: Published, page: str) -> None:
    visitor = visit()
    visitor.go(page)
    visitor.page.fill("#key", published.first.key)
    visitor.page.press("#key", "Enter")

    expect(visitor.find("#key-status")).not_to_be_empty()
    expect(visitor.find("#key-known")).to_be_hidden()
    assert visitor.find(".needs-key:visible").count() == 0


def test_an_application_is_declined_with_a_reason_that_the_applicant_reads(
    visit: Visit, door: PlatformDoor, memory_url: str
) -> None:
    applied = door.apply(memory_url, system="Unwanted", version="1", organisation="Somebody")
    reviewer, applicant = visit(key=door.operator_key), visit()
    reviewer.go("/review")
    reviewer.find("#accesses tr", "Unwanted").locator("button").click()
    reviewer.page.click("#access-decline")
    reviewer.confirm("The repository <i>is</i> private.")
    expect(reviewer.find("#accesses tr", "Unwanted")).to_have_count(0)

    applicant.go("/participate")
    applicant.page.click("#requests details summary")
    applicant.fill({"find-access": applied.access_id, "find-claim": applied.claim_token})
    applicant.page.click("#find-form button")

    applicant.see(".request", "The repository <i>is</i> private.")
    expect(applicant.find("[data-act=claim]")).to_be_hidden()
    applicant.look_over("request-declined")
