"""Somebody who offers a benchmark: the form, packages that are refused, one that is kept, and a reviewer's decision."""

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.chromium import needs_chromium
from tests.browser.conftest import Visit
from tests.browser.look import Look
from tests.browser.platform_door import PlatformDoor

pytestmark = [needs_chromium, pytest.mark.stack]

LOOKS = (Look("en", "light", "phone"), Look("zh", "dark", "desktop"))
PROPOSAL = {
    "contact": "Dora",
    "email": "dora@example.org",
    "organisation": "Donors",
    "scale": "40 samples with 400 questions",
    "measures": "Whether a memory keeps two people of one name apart.",
    "sample": '{"question": "<b>Which</b> Anna moved to Turku?"}',
    "license": "CC-BY-4.0",
    "provenance": "https://example.org/paper\nhttps://example.org/code",
}


def bomb(folder: Path) -> Path:
    """Some ten kilobytes that inflate to 16 MB of sound lines."""
    path = folder / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("bomb.jsonl", "w") as member:
        for _ in range(16):
            member.write(b'{"question": "%s"}\n' % (b"a" * (1 << 20)))
    return path


def climber(folder: Path) -> Path:
    path = folder / "climber.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../etc/questions.jsonl", '{"question": "Who?"}\n')
    return path


def good(folder: Path) -> Path:
    path = folder / "two-annas.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.md", "# Two Annas\n")
        archive.writestr("LICENSE", "CC-BY-4.0\n")
        archive.writestr("questions.jsonl", '{"question": "Which Anna?", "answer": "The first."}\n' * 40)
    return path


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_from_the_form_to_the_decision(visit: Visit, door: PlatformDoor, tmp_path: Path, look: Look) -> None:
    title = f"Two Annas {look}"
    donor = visit(look)
    page = donor.page
    donor.go("/provide-benchmark")
    page.click("#proposal-form button[type=submit]")
    expect(donor.see("#proposal-form [data-errors]")).to_be_focused()
    donor.fill(PROPOSAL | {"title": title, "license": "do what you like"})
    page.click("#proposal-form button[type=submit]")
    expect(donor.find("#license")).to_have_attribute("aria-invalid", "true")
    donor.look_over("proposal-refused")
    page.fill("#license", PROPOSAL["license"])
    page.set_input_files("#package", bomb(tmp_path))
    page.dblclick("#proposal-form button[type=submit]")

    donor.see("#sent")
    expect(donor.find("#package-status")).to_contain_text("inflates to more than")
    donor.look_over("package-refused")
    page.set_input_files("#package-late", climber(tmp_path))
    page.click("#send-package")
    expect(donor.find("#package-status")).to_contain_text("etc/questions.jsonl")
    package = good(tmp_path)
    page.set_input_files("#package-late", package)
    page.click("#send-package")
    expect(donor.find("#package-report")).to_contain_text("questions.jsonl")
    expect(donor.find("#package-again")).to_be_hidden()
    donor.look_over("package-kept")
    assert [each.title for each in door.ask(lambda operator: operator.proposals()).proposals].count(title) == 1

    reviewer = visit(look, key=door.operator_key)
    reviewer.go("/review")
    reviewer.find("#proposals tr", title).locator("button").click()
    reviewer.see("#proposal", "<b>Which</b> Anna")
    expect(reviewer.find("#proposal-package")).to_contain_text("questions.jsonl")
    with reviewer.page.expect_download() as waiting:
        reviewer.page.click("#proposal-download")
    assert Path(waiting.value.path()).read_bytes() == package.read_bytes()
    reviewer.page.click("[data-proposal=accept]")
    reviewer.confirm("Nothing in the suite asks this yet.")
    expect(reviewer.find("#proposals tr", title)).to_have_count(0)
    expect(reviewer.find("[data-proposal]:visible")).to_have_count(0)
    reviewer.look_over("proposal-accepted")


def test_a_file_beyond_the_limit_is_refused_before_it_is_sent(visit: Visit, tmp_path: Path) -> None:
    huge = tmp_path / "huge.jsonl"
    with huge.open("wb") as file:
        file.truncate(1 << 30)
    donor = visit()
    sent: list[str] = []
    donor.page.on("request", lambda request: sent.append(request.method))
    donor.go("/provide-benchmark")
    donor.fill(PROPOSAL | {"title": "Huge"})
    donor.page.set_input_files("#package", huge)
    donor.page.click("#proposal-form button[type=submit]")

    expect(donor.see("#package-status")).to_contain_text("1024.0 MiB")
    assert "PUT" not in sent
