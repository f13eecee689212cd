"""What an application must say before it is stored."""

from typing import Any

import pytest
from tests.factories.applications import OPEN, URLS, an_application

from aml.gateway.access.application_check import application_problems, disclosure_problems
from aml.gateway.access.bodies import Disclosure
from aml.runtime.doctor.naughty import NAUGHTY


def problems(**changes: Any) -> set[str]:
    return set(application_problems(an_application(**changes), allow_private=False))


def test_a_complete_application_has_none() -> None:
    assert problems() == set()


@pytest.mark.parametrize("field", ["description", "run_instructions"])
@pytest.mark.parametrize("blank", ["", "  \n "])
def test_texts_that_reviewers_decide_by_are_needed(field: str, blank: str) -> None:
    assert problems(**{field: blank}) == {field}


def test_health_is_needed_and_add_status_is_not() -> None:
    without = {name: url for name, url in URLS.items() if name != "health_url"}

    assert problems(endpoints=without) == {"endpoints.health_url"}
    assert problems(endpoints=URLS | {"add_status_url": "https://memory.example/tasks/{task_id}"}) == set()


@pytest.mark.parametrize(
    "status_url",
    [
        "https://memory.example/tasks",
        "https://memory.example/{task_id}/{task_id}",
        "https://{task_id}.example/tasks",
        "https://memory.example/tasks#{task_id}",
    ],
)
def test_an_add_status_url_names_the_task_once(status_url: str) -> None:
    assert problems(endpoints=URLS | {"add_status_url": status_url}) == {"endpoints.add_status_url"}


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/add",
        "http://10.1.2.3/add",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/add",
        "http://[::ffff:10.0.0.1]/add",
        "http://2130706433/add",
        "http://0x7f.1/add",
        "http://localhost:8000/add",
        "https://user:secret@memory.example/add",
        "https://memory.example\\@evil.example/add",
        "https://memory.example/add\r\nX-Injected: 1",
        "file:///etc/passwd",
        "gopher://memory.example/add",
        "javascript:alert(1)",
        "//memory.example/add",
        "https://",
        "https://memory.example:99999/add",
        "https://ｍemory.example/add",
    ],
)
def test_private_credentialed_and_odd_urls_are_refused(url: str) -> None:
    assert problems(endpoints=URLS | {"add_url": url}) == {"endpoints.add_url"}


@pytest.mark.parametrize("text", NAUGHTY.values(), ids=NAUGHTY.keys())
def test_no_text_is_an_endpoint(text: str) -> None:
    if 0 < len(text) <= 2000:
        assert "endpoints.search_url" in problems(endpoints=URLS | {"search_url": text})


@pytest.mark.parametrize("field", ["repository", "commit", "original_works", "method_changes"])
def test_an_open_method_discloses_where_it_comes_from(field: str) -> None:
    assert problems(disclosure=OPEN | {field: " "}) == {f"disclosure.{field}"}
    assert problems(disclosure={name: text for name, text in OPEN.items() if name != field}) == {f"disclosure.{field}"}


@pytest.mark.parametrize("commit", ["main", "v1.2.0", "HEAD", "abc12", "g123456", "0123456 and more", "1" * 65])
def test_a_commit_is_a_hash_that_cannot_move(commit: str) -> None:
    assert set(disclosure_problems(Disclosure(**(OPEN | {"commit": commit})), "open_source")) == {"disclosure.commit"}


@pytest.mark.parametrize(
    "repository",
    ["javascript:alert(1)", "data:text/html,<script>", "git@git.example:lab/it", "https://u:p@git.example/x"],
)
def test_a_repository_can_be_linked(repository: str) -> None:
    found = disclosure_problems(Disclosure(**(OPEN | {"repository": repository})), "open_source")
    assert set(found) == {"disclosure.repository"}


def test_a_product_names_its_version_and_whom_to_reach() -> None:
    named = {"product_version": "2026.1", "operations_contact": "ops@example.org"}

    assert problems(division="commercial", disclosure={}) == {
        "disclosure.product_version",
        "disclosure.operations_contact",
    }
    assert problems(division="commercial", disclosure=named) == set()


def test_no_problem_quotes_the_key() -> None:
    found = application_problems(an_application(memory_system_key="canary-key\nsecond line"), allow_private=False)

    assert set(found) == {"memory_system_key"}
    assert "canary" not in str(found)
