from typing import cast

import pytest
from tests.factories.results import a_gate

from aml.publisher.collect_board import Approvals
from aml.publisher.errors import CheckpointRejected, EntryPending, LedgerUnavailable
from aml.publisher.keep_current import KeepCurrent
from aml.publisher.publish_board import BoardPublisher
from aml.runtime.bus import Bus


class PublisherFake:
    def __init__(self, *outcomes: bool | Exception) -> None:
        self.outcomes = list(outcomes)
        self.problems: dict[str, str] = {}

    async def refresh(self) -> bool:
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def a_loop(*outcomes: bool | Exception) -> KeepCurrent:
    publisher = cast("BoardPublisher", PublisherFake(*outcomes))
    return KeepCurrent(bus=cast("Bus", None), state=Approvals(), publisher=publisher)


async def test_an_up_to_date_board_waits_for_a_change_only() -> None:
    loop = a_loop(True)

    assert await loop._refresh_once() is None
    assert await loop.check_board() is None


@pytest.mark.parametrize(
    "trouble", [LedgerUnavailable("/log/checkpoint", "status 503"), CheckpointRejected("x"), OSError(28, "No space")]
)
async def test_trouble_is_told_tried_again_and_forgotten(trouble: Exception) -> None:
    loop = a_loop(trouble, True)

    assert await loop._refresh_once()
    assert await loop.check_board() is not None

    assert await loop._refresh_once() is None
    assert await loop.check_board() is None


async def test_waiting_for_an_entry_is_no_trouble() -> None:
    loop = a_loop(EntryPending("a"))

    assert await loop._refresh_once()
    assert await loop.check_board() is None


async def test_a_defect_is_not_swallowed() -> None:
    with pytest.raises(KeyError):
        await a_loop(KeyError("x"))._refresh_once()


async def test_a_change_of_the_state_wakes_the_loop() -> None:
    loop = a_loop()

    loop._state.apply(a_gate("a"))

    assert loop._changed.is_set()
