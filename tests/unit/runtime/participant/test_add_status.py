"""What a 202 and its status answers mean."""

import json
from typing import Any

import pytest

from aml.contracts.participant import StatusPolling
from aml.runtime.participant.add_status import check_template, judge_status, read_task_id, url_for, wait_before
from aml.runtime.participant.errors import AddressRefused, EchoMismatched, JsonInvalid, SchemaViolated


def body(value: Any) -> bytes:
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    "template",
    ["https://a.example/tasks/{task_id}", "https://a.example/{task_id}/state", "https://a.example/t?id={task_id}"],
)
def test_a_template_holds_the_task_once_behind_the_host(template: str) -> None:
    assert check_template(template) == template.replace("{task_id}", "0")


@pytest.mark.parametrize(
    "template",
    [
        "https://a.example/tasks", "https://{task_id}.example/", "https://a.example:{task_id}/", "{task_id}",
        "https://a.example/{task_id}/{task_id}", "https://a.example/#{task_id}", "https://u:{task_id}@a.example/",
    ],
)  # fmt: skip
def test_other_templates_are_refused(template: str) -> None:
    with pytest.raises(AddressRefused):
        check_template(template)


@pytest.mark.parametrize(
    ("task_id", "written"), [("t-1", "t-1"), ("a/../b?c#d", "a%2F..%2Fb%3Fc%23d"), ("é", "%C3%A9"), ("%2e", "%252e")]
)
def test_a_task_stays_within_its_place(task_id: str, written: str) -> None:
    assert url_for("https://a.example/t/{task_id}/s", task_id) == f"https://a.example/t/{written}/s"


@pytest.mark.parametrize("value", [{}, {"task_id": ""}, {"task_id": 1}, {"task_id": None}, {"task_id": ".."}, [], "t"])
def test_a_202_without_a_usable_task_is_a_contract_error(value: Any) -> None:
    with pytest.raises(SchemaViolated):
        read_task_id(body(value))


def test_a_202_is_read_strictly() -> None:
    assert read_task_id(body({"task_id": "t", "eta": 3})) == "t"
    with pytest.raises(JsonInvalid):
        read_task_id(b'{"task_id":"t","task_id":"u"}')


@pytest.mark.parametrize(
    ("value", "progress"),
    [
        ({"status": "pending"}, "pending"), ({"status": "QUEUED"}, "pending"), ({"status": "in_progress"}, "pending"),
        ({"status": "done"}, "done"), ({"status": "Completed"}, "done"), ({"success": True}, "done"), ({}, "done"),
        ({"status": "failed"}, "failed"), ({"status": "cancelled", "task_id": "t"}, "failed"),
    ],
)  # fmt: skip
def test_words(value: Any, progress: str) -> None:
    assert judge_status(body(value), "t") == progress


@pytest.mark.parametrize("status", ["", "maybe", 1, True, ["done"], {"a": 1}])
def test_unknown_words_are_told_what_is_known(status: Any) -> None:
    with pytest.raises(SchemaViolated) as raised:
        judge_status(body({"status": status}), "t")
    assert "completed" in raised.value.advice


def test_another_tasks_state_is_not_ours() -> None:
    with pytest.raises(EchoMismatched):
        judge_status(body({"status": "done", "task_id": "T"}), "t")


def test_waits_grow_to_the_cap_and_heed_retry_after_up_to_it() -> None:
    polling = StatusPolling(first_seconds=1, growth=2, cap_seconds=5)
    waits = [wait_before(poll, polling=polling, retry_after=None) for poll in (1, 2, 3, 4, 9999)]
    assert waits == [1, 2, 4, 5, 5]
    assert wait_before(1, polling=polling, retry_after=3) == 3
    assert wait_before(1, polling=polling, retry_after=1e9) == 5
    assert wait_before(3, polling=polling, retry_after=0) == 4
