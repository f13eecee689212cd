"""Operators' runs and requeues: what is refused before anything is stored."""

from datetime import UTC, datetime
from typing import Any

import pytest

from aml.gateway.access.bodies import Endpoints
from aml.gateway.operations.bodies import RunDataset, RunOrder
from aml.gateway.operations.drive_again import own_requeues, requeue_of
from aml.gateway.operations.operator import run_problems
from aml.gateway.operations.views import ParkedUnit

DATASET = RunDataset(name="d", adapter="locomo", version="1", sha256="a" * 64)
ENDPOINTS = Endpoints(add_url="https://example.org/add", search_url="https://example.org/search")


def an_order(**changes: Any) -> RunOrder:
    values: dict[str, Any] = {"system": "s", "run_label": "l", "endpoints": ENDPOINTS, "datasets": (DATASET,)}
    return RunOrder(**(values | changes))


def test_a_plain_run_is_fine() -> None:
    assert run_problems(an_order(), platform_allows_private=False) == {}


def test_a_baseline_full_run_is_fine() -> None:
    order = an_order(arm="oracle", mode="full", endpoints=None, datasets=())

    assert run_problems(order, platform_allows_private=False) == {}


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("mode", {"mode": "full", "datasets": ()}),
        ("datasets", {"datasets": ()}),
        ("datasets", {"datasets": (DATASET, DATASET)}),
        ("datasets", {"mode": "full", "arm": "oracle", "endpoints": None}),
        ("endpoints", {"endpoints": None}),
        ("endpoints", {"arm": "no_memory"}),
        ("allow_private", {"allow_private": True}),
        ("memory_system_key", {"auth": "bearer"}),
        (
            "endpoints.add_url",
            {"endpoints": Endpoints(add_url="http://127.0.0.1/a", search_url="https://example.org/")},
        ),
    ],
)
def test_what_cannot_be_names_its_field(field: str, changes: dict[str, Any]) -> None:
    assert field in run_problems(an_order(**changes), platform_allows_private=False)


@pytest.mark.parametrize("parked", ["abcd-answer-1", "abcd-answer-2-answer-2", "abcd-answer-operator-1-answer-1"])
def test_a_requeue_has_a_name_of_its_own_and_the_stages_count(parked: str) -> None:
    unit = ParkedUnit(
        job_id="j",
        unit=parked,
        stage="answer",
        trigger="aml.v1.x",
        error="e",
        parked_at=datetime(2026, 1, 1, tzinfo=UTC),
    )

    event = requeue_of(unit, 7, {"abcd-answer": 2}, 5)

    assert (event.unit, event.requeue, event.trigger, event.not_before) == ("abcd-answer-operator-7", 2, "aml.v1.x", 0)


def test_only_a_stages_own_requeues_count() -> None:
    names = ["a-answer-1", "a-answer-2", "a-scoring-1", "a-answer-stall-9", "a-answer-operator-9", "b-answer-1"]

    assert own_requeues(names) == {"a-answer": 2, "a-scoring": 1, "b-answer": 1}
