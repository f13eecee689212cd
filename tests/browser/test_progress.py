"""A job that lasts: what its page shows while it runs, across a reload, a cut stream and a proxy without streams."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Request, Route, expect
from tests.browser.chromium import needs_chromium
from tests.browser.conftest import Visit
from tests.browser.look import Look
from tests.browser.platform_door import Entrant, PlatformDoor
from tests.browser.visitor import Visitor
from tests.factories.memory_server import MemoryServer

pytestmark = [needs_chromium, pytest.mark.stack]

EVENTS = "**/api/v1/jobs/*/events"


@pytest.fixture(scope="module")
def entrant(door: PlatformDoor, slow_memory: MemoryServer) -> Entrant:
    """Ready for full runs, whose calls are the run's own."""
    entrant = door.enter(slow_memory.url, system="Slow", version="1", organisation="Patience", commit="5" * 40)
    door.run(entrant, "smoke", "smoke")
    return entrant


@pytest.fixture
def slow(slow_memory: MemoryServer) -> Iterator[MemoryServer]:
    """A run outlasts a test, until the test lets it go."""
    slow_memory.delay_seconds = 3.0
    yield slow_memory
    slow_memory.delay_seconds = 0.0


@pytest.fixture
def paced(slow_memory: MemoryServer) -> Iterator[MemoryServer]:
    """A run lasts some seconds."""
    slow_memory.delay_seconds = 0.1
    yield slow_memory
    slow_memory.delay_seconds = 0.0


def start(visitor: Visitor, label: str) -> None:
    visitor.go("/evaluation")
    visitor.see("#job-form")
    visitor.page.select_option("#mode", "full")
    for box in visitor.find("#checklist input").all():
        box.check()
    visitor.page.fill("#run_label", label)
    visitor.page.click("#job-form button[type=submit]")
    visitor.see("#current", label)


def is_over(visitor: Visitor) -> None:
    visitor.see("#results", within_ms=40_000)
    expect(visitor.find("#job-cancel")).to_be_hidden()


def test_a_reload_in_the_middle_loses_nothing_and_a_second_job_is_refused(
    visit: Visit, entrant: Entrant, slow: MemoryServer
) -> None:
    visitor = visit(Look("en", "dark", "phone"), key=entrant.key)
    start(visitor, "reloaded")
    expect(visitor.find("[data-stage=ingest]")).to_have_class("now")
    visitor.look_over("running")
    address = visitor.page.url

    visitor.page.reload()

    visitor.see("#current", "reloaded")
    expect(visitor.find("[data-stage=ingest]")).to_have_class("now")
    expect(visitor.find("#job-cancel")).to_be_visible()
    assert visitor.page.url == address
    visitor.page.fill("#run_label", "another at once")
    visitor.page.click("#job-form button[type=submit]")
    visitor.see("#job-form [data-errors]")

    visitor.page.click("#job-cancel")
    visitor.page.keyboard.press("Escape")
    expect(visitor.find("#job-cancel")).to_be_visible()
    visitor.page.click("#job-cancel")
    visitor.confirm("stopped to look at the page")
    visitor.see("#job-resume")
    expect(visitor.find("#job-cancel")).to_be_hidden()
    visitor.look_over("cancelled")
    slow.delay_seconds = 0.0
    visitor.page.click("#job-resume")
    visitor.confirm()
    visitor.see("#current", "reloaded (resumed 1)")
    is_over(visitor)


def test_a_stream_that_was_cut_goes_on_after_the_last_event(
    visit: Visit, entrant: Entrant, paced: MemoryServer
) -> None:
    visitor = visit(key=entrant.key)
    asked: list[Request] = []

    def cut_first(route: Route) -> None:
        asked.append(route.request)
        if len(asked) > 1:
            route.continue_()
            return
        job = visitor.context.request.get(
            route.request.url.removesuffix("/events"), headers={"Authorization": f"Bearer {entrant.key}"}
        ).text()
        route.fulfill(content_type="text/event-stream", body=f"id: 1\ndata: {job}\n\nid: 2\ndata: {job[:20]}")

    visitor.page.route(EVENTS, cut_first)
    start(visitor, "cut")
    is_over(visitor)

    assert asked[1].headers["last-event-id"] == "1"


def test_where_no_stream_comes_through_the_page_asks_again_and_again(
    visit: Visit, entrant: Entrant, paced: MemoryServer
) -> None:
    visitor = visit(key=entrant.key)
    visitor.page.route(EVENTS, lambda route: route.fulfill(status=404, content_type="text/html", body="<h1>?</h1>"))
    start(visitor, "polled")

    is_over(visitor)


def test_a_gateway_that_is_away_for_a_moment_is_waited_for(visit: Visit, entrant: Entrant, paced: MemoryServer) -> None:
    visitor = visit(key=entrant.key)
    visitor.page.route(EVENTS, lambda route: route.fulfill(content_type="text/event-stream", body=""))
    start(visitor, "away")
    visitor.context.set_offline(True)
    expect(visitor.find("#progress-line")).to_contain_text("could not be reached")
    visitor.context.set_offline(False)

    is_over(visitor)
    lost = [said for said in visitor.complaints if "ERR_INTERNET_DISCONNECTED" not in said]
    visitor.complaints[:] = lost
