"""An operator: what runs and stands still, work that is driven again, keys that are made and ended."""

import json

import pytest
from playwright.sync_api import Route, expect
from tests.browser.chromium import needs_chromium
from tests.browser.conftest import Published, Visit
from tests.browser.platform_door import Entrant, PlatformDoor
from tests.factories.memory_server import MemoryServer

pytestmark = [needs_chromium, pytest.mark.stack]


def test_a_key_is_made_shown_once_and_revoked(visit: Visit, door: PlatformDoor) -> None:
    operator = visit()
    operator.go("/operate")
    operator.enter_key(door.operator_key)
    operator.page.fill("#order-label", "A reviewer for a month")
    operator.page.fill("#order-expires", "2030-01-31")
    operator.page.dblclick("#key-order-form button[type=submit]")

    key = operator.see("#made-key").inner_text()
    row = operator.find("#keys tr", "A reviewer for a month")
    expect(row).to_have_count(1)
    operator.look_over("key-made")
    colleague = visit()
    colleague.go("/review")
    colleague.enter_key(key)
    row.locator("button").click()
    operator.confirm("The month is over.")
    expect(row.locator("button")).to_have_count(0)

    colleague.page.reload()
    expect(colleague.find("#key-form")).to_be_visible()
    expect(colleague.find("#key-known")).to_be_hidden()


def test_a_running_job_is_cancelled_for_everybody(visit: Visit, door: PlatformDoor, slow_memory: MemoryServer) -> None:
    entrant: Entrant = door.enter(slow_memory.url, system="Stuck", version="1", organisation="Stuckists")
    slow_memory.delay_seconds = 30.0
    job_id = door.order(entrant, "smoke", "stuck")
    operator, owner = visit(key=door.operator_key), visit(key=entrant.key)
    owner.go(f"/evaluation?job={job_id}")
    owner.see("#job-cancel")
    operator.go("/operate")
    operator.find("#open_jobs tr", "Stuck").locator("button").click()
    operator.confirm("It holds up the others.")
    slow_memory.delay_seconds = 0.0

    expect(operator.find("#open_jobs tr", "Stuck")).to_have_count(0)
    expect(owner.find("#job-cancel")).to_be_hidden()
    owner.see("#job-resume")


def test_parked_work_is_driven_again(visit: Visit, door: PlatformDoor, published: Published) -> None:
    """Nothing on a sound platform is parked: the page is told that something was. What the gateway refuses is shown."""
    operator = visit(key=door.operator_key)
    told = {"unit": "0" * 32, "stage": "answer", "trigger": "t", "parked_at": "2026-11-30T08:00:00Z"}
    parked = [told | {"job_id": published.first_job, "error": "<b>the model</b> answered nothing"}]
    operator.page.route(
        "**/api/v1/operator/parked",
        lambda route: route.fulfill(content_type="application/json", body=json.dumps({"parked": parked})),
    )
    operator.go("/operate")
    operator.see("#parked", "<b>the model</b> answered nothing")
    operator.look_over("parked")

    operator.find("#parked button").click()
    operator.confirm()
    expect(operator.find("#overview-status")).to_contain_text("completed")

    def drive_again(route: Route) -> None:
        parked.clear()
        answer = {"job_id": published.first_job, "requeued": ["0" * 32]}
        route.fulfill(content_type="application/json", body=json.dumps(answer))

    operator.page.route(f"**/api/v1/operator/jobs/{published.first_job}/requeue", drive_again)
    operator.find("#parked button").click()
    operator.confirm()
    expect(operator.find("#parked tr")).to_have_count(0)
    expect(operator.find("#parked-none")).to_be_visible()
