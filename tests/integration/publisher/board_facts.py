"""What the stream is told of results, and what it then holds of their board."""

from tests.factories.results import a_gate

from aml.contracts.boards import BoardPublished
from aml.contracts.events import Event
from aml.publisher.collect_board import board_id_of
from aml.rules.identity import SUBJECT_ROOT
from aml.runtime.bus import Bus
from aml.runtime.publish_once import publish_once

BOARD_ID = board_id_of("textual", a_gate().subject.release_id, a_gate().subject.release_digest)


async def tell(bus: Bus, *events: Event) -> None:
    for event in events:
        await publish_once(bus, event)


async def publications(bus: Bus) -> list[BoardPublished]:
    found = []
    version = 1
    while (event := await bus.last_event(f"{SUBJECT_ROOT}.board.{BOARD_ID}.board_published.{version}")) is not None:
        assert isinstance(event, BoardPublished)
        found.append(event)
        version += 1
    return found
