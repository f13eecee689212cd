"""One believable event of every kind, and others like it."""

from typing import Any

from msgspec.structs import replace
from tests.factories.events.access import ACCESS
from tests.factories.events.custody import CUSTODY
from tests.factories.events.fair_play import FAIR_PLAY
from tests.factories.events.governance import GOVERNANCE
from tests.factories.events.jobs import JOBS
from tests.factories.events.releases import RELEASES
from tests.factories.events.results import RESULTS
from tests.factories.events.units import UNITS

from aml.contracts.events import Event

EXAMPLES: dict[type, Event] = {
    type(event): event
    for room in (ACCESS, RELEASES, JOBS, RESULTS, UNITS, FAIR_PLAY, CUSTODY, GOVERNANCE)
    for event in room
}
"""One example of each event type. The golden files began as these, and stay when these change."""


def an_event(event_type: type, **changes: Any) -> Any:
    """The example of `event_type` with `changes`."""
    return replace(EXAMPLES[event_type], **changes)
