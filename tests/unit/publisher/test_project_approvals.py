import random

from tests.factories.events import EXAMPLES, an_event

from aml.contracts.access import VersionDisclosed
from aml.contracts.boards import BoardPublished, ReviewDecided
from aml.contracts.seals import GatePassed
from aml.publisher.project_approvals import ApprovalsProjector

LATER = (
    an_event(ReviewDecided, number=2, decision="withdraw"),
    an_event(BoardPublished, version=4),
    an_event(GatePassed, job_id="job-2"),
    an_event(VersionDisclosed, version_id="version-2"),
)
EVENTS = (*EXAMPLES.values(), *LATER)


async def digest_of(*events: object) -> str:
    projector = ApprovalsProjector()
    await projector.apply(events)  # type: ignore[arg-type]
    return await projector.digest()


async def test_neither_order_nor_repetition_shows() -> None:
    expected = await digest_of(*EVENTS)
    for seed in range(20):
        shuffled = [*EVENTS, *LATER]
        random.Random(seed).shuffle(shuffled)
        assert await digest_of(*shuffled) == expected


async def test_every_fact_that_counts_shows() -> None:
    expected = await digest_of(*EVENTS)
    for left_out in LATER:
        assert await digest_of(*(event for event in EVENTS if event is not left_out)) != expected
