"""A participant, from the application to a published row, in the browser alone; the reviewer's steps between in theirs."""

import csv
import json
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.chromium import needs_chromium
from tests.browser.conftest import Visit
from tests.browser.look import A_JOURNEY_EACH, Look
from tests.browser.platform_door import PlatformDoor
from tests.browser.visitor import Visitor

pytestmark = [needs_chromium, pytest.mark.stack]

RUN_MS = 60_000
ITEMS = (
    "smoke_passed",
    "contract_followed",
    "run_instructions_complete",
    "originality_disclosed",
    "no_integrity_violations",
)


def application(memory_url: str, look: Look) -> dict[str, str]:
    return {
        "contact": "mnemo@example.org",
        "organisation": f"Team {look}",
        "system": f"Journey {look}",
        "version": "1.0",
        "add_url": f"{memory_url}/add",
        "search_url": f"{memory_url}/search",
        "health_url": f"{memory_url}/health",
        "description": "Full-text index over every message.",
        "run_instructions": "Start the program; it needs nothing else.",
        "repository": "https://git.example.org/journey",
        "commit": f"{len(str(look)):040x}",
        "original_works": "none",
        "method_changes": "none",
    }


def apply(visitor: Visitor, memory_url: str) -> None:
    """With an empty form first, then twice at once."""
    page = visitor.page
    visitor.go("/participate")
    page.click("#access-form button[type=submit]")
    expect(visitor.see("#access-form [data-errors]")).to_be_focused()
    visitor.look_over("apply-refused")
    visitor.fill(application(memory_url, visitor.look))
    page.check("#public_display_consent")
    page.dblclick("#access-form button[type=submit]")
    visitor.see(".request [data-slot=claim_token]")
    visitor.photograph("applied")
    page.reload()
    visitor.see(".request")
    assert visitor.find(".request").count() == 1


def admit(reviewer: Visitor, name: str) -> None:
    reviewer.go("/review")
    reviewer.find("#accesses tr", name).locator("button").click()
    reviewer.see("#access", name)
    reviewer.page.click("#access-approve")
    reviewer.photograph("confirm")
    reviewer.confirm("The endpoints answered.")
    expect(reviewer.find("#access-actions")).to_be_hidden()


def claim(visitor: Visitor) -> str:
    visitor.page.click("[data-act=refresh]")
    visitor.page.click("[data-act=claim]")
    key = visitor.see(".request [data-slot=key]").inner_text()
    visitor.look_over("claimed")
    visitor.page.click("[data-slot=key_box] a.button")
    visitor.see("#job-form")
    return key


def run(visitor: Visitor, mode: str, label: str) -> str:
    """From the form to the results, by a double click. Returns the job's id."""
    page = visitor.page
    page.select_option("#mode", mode)
    if mode == "full":
        for item in ITEMS:
            page.check(f"#check-{item}")
    page.fill("#run_label", label)
    page.dblclick("#job-form button[type=submit]")
    visitor.see("#current", label)
    visitor.see("#results", within_ms=RUN_MS)
    visitor.see("#questions")
    return visitor.find("#current [data-slot=job_id]").inner_text()


def change_version(visitor: Visitor) -> None:
    visitor.page.click("#edit summary")
    visitor.page.fill("#edit-description", "Full-text index over every message, without stop words.")
    visitor.page.click("#edit-form button[type=submit]")
    expect(visitor.find("#edit-status")).not_to_be_empty()
    visitor.photograph("version-changed")


def replace_memory_key(visitor: Visitor) -> None:
    visitor.page.select_option("#memory-auth", "bearer")
    visitor.page.fill("#memory-key", "a-key-of-the-memory-system")
    visitor.page.click("#memory-key-form button")
    expect(visitor.find("#care-status")).not_to_be_empty()
    assert visitor.page.input_value("#memory-key") == ""


def ask_for_full_half_ticked(visitor: Visitor) -> None:
    visitor.page.select_option("#mode", "full")
    visitor.page.fill("#run_label", "too early")
    visitor.page.check(f"#check-{ITEMS[0]}")
    visitor.page.click("#job-form button[type=submit]")
    expect(visitor.see("#job-form [data-errors] a >> nth=0")).to_be_visible()
    assert visitor.find("#job-form [data-errors] li").count() == len(ITEMS) - 1
    visitor.look_over("checklist-refused", colours=False)


def read_failures(visitor: Visitor) -> None:
    page = visitor.page
    page.select_option("#filter-outcome", "incorrect")
    page.wait_for_url("**outcome=incorrect**")
    visitor.find("#question-rows tr .tag.warn").first.wait_for()
    assert visitor.find("#question-rows tr .tag.fine").count() == 0
    visitor.find("#question-rows button").first.click()
    visitor.see("#question")
    for part in ("question", "answer", "gold", "verdict"):
        expect(visitor.find(f"#question [data-slot={part}]")).not_to_be_empty()
    assert visitor.find("#memories li").count() > 0
    visitor.look_over("failure")
    page.reload()
    visitor.see("#question")
    assert page.input_value("#filter-outcome") == "incorrect"
    page.click("#question-close")
    page.select_option("#filter-outcome", "")


def download_all(visitor: Visitor) -> None:
    files = {}
    for name in ("results.json", "results.csv", "questions.jsonl", "questions.csv"):
        with visitor.page.expect_download() as waiting:
            visitor.page.click(f'[data-download="{name}"]')
        files[name] = Path(waiting.value.path()).read_text("utf-8")
        assert waiting.value.suggested_filename.endswith(name)
    questions = [json.loads(line) for line in files["questions.jsonl"].splitlines()]
    assert len(questions) == 140
    assert len(list(csv.DictReader(files["questions.csv"].splitlines()))) == 140
    assert json.loads(files["results.json"])["result"]["overall"] > 0
    assert len(files["results.csv"].splitlines()) > 2


def compare(visitor: Visitor, earlier: str) -> None:
    visitor.page.select_option("#with", earlier)
    visitor.page.click("#comparison-form button")
    visitor.see("#comparison-answer")
    expect(visitor.find("#comparison-answer [data-slot=regressions]")).to_have_text("0")
    assert f"with={earlier}" in visitor.page.url
    visitor.photograph("comparison")


def attest(visitor: Visitor) -> None:
    visitor.page.click("#job-attest")
    visitor.confirm("The index file was removed from the one machine that had it.")
    expect(visitor.find("#job-action-status")).not_to_be_empty()


def publish(reviewer: Visitor, job_id: str) -> None:
    reviewer.go(f"/review?review={job_id}")
    reviewer.see("#file")
    reviewer.page.click("#file-actions [data-decision=approve]")
    reviewer.confirm("Method and score agree with what was disclosed.")
    expect(reviewer.find("#decisions .tag")).to_have_count(1)
    reviewer.look_over("approved")


@pytest.mark.parametrize("look", A_JOURNEY_EACH, ids=str)
def test_from_the_application_to_a_published_row(visit: Visit, door: PlatformDoor, memory_url: str, look: Look) -> None:
    participant, reviewer = visit(look), visit(look, key=door.operator_key)
    name = application(memory_url, look)["system"]

    apply(participant, memory_url)
    admit(reviewer, name)
    key = claim(participant)

    run(participant, "smoke", "first smoke")
    participant.page.click("#job-contract")
    participant.see("#contract-report")
    participant.look_over("smoke")
    change_version(participant)
    run(participant, "smoke", "smoke again")
    ask_for_full_half_ticked(participant)
    job_id = run(participant, "full", "final")
    participant.photograph("full")
    read_failures(participant)
    download_all(participant)
    run(participant, "full", "once more")
    compare(participant, job_id)
    attest(participant)
    replace_memory_key(participant)
    assert [job.run_label for job in door.ask(lambda platform: platform.jobs(), key).jobs] == [
        "once more",
        "final",
        "smoke again",
        "first smoke",
    ]

    publish(reviewer, job_id)
    door.await_rows(job_id)
    participant.go("/")
    participant.find(".preview thead a").first.click()
    participant.find("tbody th.system a", name).click()
    participant.photograph("own-row")
    expect(participant.find("h1")).to_contain_text(name)
    assert participant.page.evaluate("JSON.stringify([document.cookie, Object.keys(localStorage)])") == '["",[]]'
