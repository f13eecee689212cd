"""What a participant looks after: a further version under the same key, its withdrawal, the key itself."""

import pytest
from playwright.sync_api import expect
from tests.browser.chromium import needs_chromium
from tests.browser.conftest import Visit
from tests.browser.look import A_JOURNEY_EACH, Look
from tests.browser.platform_door import PlatformDoor
from tests.browser.visitor import Visitor

from aml.toolkit.platform import PlatformRefused

pytestmark = [needs_chromium, pytest.mark.stack]


def apply_for_commercial(visitor: Visitor, memory_url: str) -> str:
    """Under the key that the tab has already. Returns the request's id."""
    page = visitor.page
    visitor.go("/participate")
    page.check("#route-existing")
    assert page.input_value("#apply-key") != ""
    page.select_option("#division", "commercial")
    expect(visitor.find("#repository")).to_be_hidden()
    values = {name: f"a {name}" for name in ("contact", "organisation", "system", "description", "run_instructions")}
    visitor.fill(values | {"version": "2", "product_version": "2026.1", "operations_contact": "ops@example.org"})
    visitor.fill({f"{call}_url": f"{memory_url}/{call}" for call in ("add", "search", "health")})
    page.check("#public_display_consent")

    page.fill("#search_url", memory_url.replace("http://", "http://user:word@") + "/search")
    page.click("#access-form button[type=submit]")
    expect(visitor.find("#search_url")).to_have_attribute("aria-invalid", "true")
    assert visitor.find("#access-form [data-errors] li").count() == 1
    page.fill("#search_url", f"{memory_url}/search")
    page.click("#access-form button[type=submit]")
    return visitor.see(".request [data-slot=access_id]").inner_text()


@pytest.mark.parametrize("look", A_JOURNEY_EACH, ids=str)
def test_a_further_version_and_the_end_of_a_key(visit: Visit, door: PlatformDoor, memory_url: str, look: Look) -> None:
    entrant = door.enter(memory_url, system="Kept", version="1", organisation=f"Keepers {look}")
    owner = visit(look, key=entrant.key)
    access_id = apply_for_commercial(owner, memory_url)
    door.ask(lambda operator: operator.approve(access_id))
    owner.page.click("[data-act=refresh]")
    expect(owner.find(".request .tag.fine").first).to_be_visible()
    expect(owner.find("[data-act=claim]")).to_be_hidden()

    owner.go("/evaluation")
    expect(owner.find("#version_id option")).to_have_count(2)
    owner.find("#withdrawable li", "a system").locator("button").click()
    owner.confirm("Superseded before it ran.")
    expect(owner.find("#version_id option")).to_have_count(1)

    owner.page.click("#key-rotate")
    owner.confirm()
    fresh = owner.see("#rotated-key").inner_text()
    owner.look_over("key-rotated")
    with pytest.raises(PlatformRefused):
        door.ask(lambda platform: platform.me(), entrant.key)
    owner.page.reload()
    owner.see("#job-form")
    assert door.ask(lambda platform: platform.me(), fresh).role == "participant"

    owner.page.click("#key-revoke")
    owner.confirm("The project has ended.")
    expect(owner.find("#key-form")).to_be_visible()
    assert owner.find(".needs-key:visible").count() == 0
    with pytest.raises(PlatformRefused):
        door.ask(lambda platform: platform.me(), fresh)
    assert owner.page.evaluate("sessionStorage.getItem('aml-key')") is None
