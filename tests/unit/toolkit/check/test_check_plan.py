from typing import Any

import pytest

from aml.toolkit.check.check_plan import CheckPlan, notes_of, plan_check
from aml.toolkit.evaluation.errors import WrongUsage

KEY = "sk-0123456789"


def planned(base_url: str = "https://memory.example", **changes: Any) -> CheckPlan:
    options: dict[str, Any] = {
        "addresses": (None, None, None),
        "add_status_url": None,
        "auth": None,
        "environ": {"MEMORY_KEY": KEY},
        "track": "textual",
        "top_k": 100,
        "concurrency": (8, 32),
        "timeout_seconds": 30.0,
        "allow_private": False,
        "restart_command": None,
    }
    return plan_check(base_url, **(options | changes))


def test_the_three_addresses_lie_below_the_base_url() -> None:
    target = planned("https://memory.example/v1/").target
    assert (target.add_url, target.search_url, target.health_url) == (
        "https://memory.example/v1/add",
        "https://memory.example/v1/search",
        "https://memory.example/v1/health",
    )


def test_an_address_of_its_own_takes_precedence() -> None:
    target = planned(addresses=(None, "https://search.example/find", None)).target
    assert target.search_url == "https://search.example/find"
    assert target.add_url == "https://memory.example/add"


def test_the_key_comes_out_of_the_named_variable() -> None:
    plan = planned(auth="x-api-key:MEMORY_KEY")
    assert plan.target.auth == "x-api-key"
    assert plan.key is not None
    assert plan.key.reveal() == KEY
    assert KEY not in repr(plan)


def test_a_restart_command_is_split_into_words() -> None:
    assert planned(restart_command="docker restart 'my memory'").restart == ("docker", "restart", "my memory")


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9001", "http://localhost:9001", "http://10.1.2.3", "http://[::1]:80"]
)
def test_a_private_address_is_refused_with_the_option_that_allows_it(url: str) -> None:
    with pytest.raises(WrongUsage, match=r"BASE_URL: .*--allow-private"):
        planned(url)
    assert planned(url, allow_private=True).allow_private


@pytest.mark.parametrize(
    ("changes", "option"),
    [
        ({"base_url": "memory.example"}, "BASE_URL"),
        ({"base_url": "ftp://memory.example"}, "BASE_URL"),
        ({"base_url": "https://user:pass@memory.example"}, "BASE_URL"),
        ({"base_url": "https://memory.example/?a=b"}, "BASE_URL"),
        ({"base_url": "http://2130706433/"}, "BASE_URL"),
        ({"base_url": ""}, "BASE_URL"),
        ({"addresses": (None, "nowhere", None)}, "--search-url"),
        ({"addresses": ("http://127.0.0.1/add", None, None)}, "--add-url"),
        ({"add_status_url": "https://memory.example/tasks"}, "--add-status-url"),
        ({"auth": "bearer:sk-pasted-key"}, "--auth"),
        ({"auth": "bearer:UNSET"}, "--auth"),
        ({"restart_command": "docker 'restart"}, "--restart-command"),
        ({"restart_command": "  "}, "--restart-command"),
    ],
)
def test_a_wrong_option_is_named_in_one_line(changes: dict[str, Any], option: str) -> None:
    with pytest.raises(WrongUsage) as caught:
        planned(**changes)
    assert caught.value.option == option
    assert "\n" not in str(caught.value)
    assert "sk-pasted-key" not in str(caught.value)


def test_what_a_release_would_refuse_is_noted() -> None:
    assert notes_of(planned()) == ()
    assert [note.split()[3] for note in notes_of(planned("http://memory.example:9001"))] == ["http:", "port"]
    assert notes_of(planned("http://127.0.0.1:9001", allow_private=True)) == ()
