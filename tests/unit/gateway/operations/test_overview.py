"""Lanes as the broker tells of them: the busiest first, and nobody's passing reading among them."""

from datetime import UTC, datetime
from typing import Any

from nats.js import api

from aml.gateway.operations.overview import behind, lanes_of


def a_consumer(name: str, *, durable: bool = True, **counts: int) -> api.ConsumerInfo:
    values: dict[str, Any] = {"num_pending": 0, "num_ack_pending": 0, "num_redelivered": 0} | counts
    return api.ConsumerInfo(
        name=name,
        stream_name="AML",
        config=api.ConsumerConfig(durable_name=name if durable else None, max_ack_pending=4),
        created=datetime(2026, 10, 1, tzinfo=UTC),
        **values,
    )


def test_the_busiest_lane_comes_first() -> None:
    found = lanes_of(
        [
            a_consumer("idle"),
            a_consumer("busy", num_pending=3, num_ack_pending=2, num_redelivered=1),
            a_consumer("passing", durable=False, num_pending=99),
        ]
    )

    assert [(lane.name, lane.waiting, lane.in_work, lane.given_again, lane.slots) for lane in found] == [
        ("busy", 3, 2, 1, 4),
        ("idle", 0, 0, 0, 4),
    ]


def test_what_the_read_model_does_not_hold_yet() -> None:
    consumers = [a_consumer("gateway-1", num_pending=3, num_ack_pending=2)]

    assert behind(consumers, "gateway-1") == 5
    assert behind(consumers, "gateway-2") is None
