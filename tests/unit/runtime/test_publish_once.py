"""Once only: the stream's refusal is read back, and only a fact about something else is an error."""

import asyncio
from typing import cast

import nats.js.errors
import pytest
from tests.factories.events import a_ref, an_event
from tests.factories.paper_stream import PaperBus

from aml.contracts.events import Event, encode_event
from aml.contracts.units import ChunkAdded, SamplePlanned, SearchReturned
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.rules.identity import subject_of
from aml.runtime.bus import Bus
from aml.runtime.publish_once import ConflictingFact, Published, publish_once


@pytest.fixture
def fake() -> PaperBus:
    return PaperBus()


async def publish(fake: PaperBus, event: Event) -> Published:
    return await publish_once(cast("Bus", fake), event)


async def test_a_new_fact_is_stored_under_its_subject(fake: PaperBus) -> None:
    event = an_event(ChunkAdded)
    assert await publish(fake, event) is Published.NEW
    assert fake.messages == {subject_of(event): encode_event(event)}


async def test_the_same_fact_again_stands_already(fake: PaperBus) -> None:
    await publish(fake, an_event(ChunkAdded))
    assert await publish(fake, an_event(ChunkAdded)) is Published.ALREADY


async def test_what_a_second_worker_measured_does_not_replace_the_first(fake: PaperBus) -> None:
    first = an_event(SearchReturned)
    await publish(fake, first)
    second = an_event(SearchReturned, latency=9, attempts=5, memories=a_ref("others"), returned=1)
    assert await publish(fake, second) is Published.ALREADY
    assert fake.messages[subject_of(first)] == encode_event(first)


@pytest.mark.parametrize("order", [(AnswerScored, UnitUnscored), (UnitUnscored, AnswerScored)])
async def test_the_first_ending_of_a_question_stands(fake: PaperBus, order: tuple[type, type]) -> None:
    first, second = (an_event(event_type) for event_type in order)
    await publish(fake, first)
    assert await publish(fake, second) is Published.ALREADY
    assert fake.messages[subject_of(first)] == encode_event(first)


@pytest.mark.parametrize(
    ("event", "other"),
    [
        (an_event(ChunkAdded), an_event(ChunkAdded, index=1)),
        (an_event(ChunkAdded), an_event(ChunkAdded, sample="other")),
        (an_event(SamplePlanned), an_event(SamplePlanned, user_id="other")),
        (an_event(SamplePlanned), an_event(SamplePlanned, chunk_pack=a_ref("other"))),
    ],
    ids=["index", "sample", "user", "pack"],
)
async def test_a_fact_about_something_else_under_the_same_name_is_a_conflict(
    fake: PaperBus, event: Event, other: Event
) -> None:
    await publish(fake, event)
    with pytest.raises(ConflictingFact) as caught:
        await publish(fake, other)
    assert caught.value.subject == subject_of(event)


async def test_a_fact_of_another_kind_on_the_subject_is_a_conflict(fake: PaperBus) -> None:
    event = an_event(ChunkAdded)
    fake.messages[subject_of(event)] = encode_event(an_event(SamplePlanned))
    with pytest.raises(ConflictingFact):
        await publish(fake, event)


async def test_a_refusal_with_nothing_behind_it_is_a_conflict(fake: PaperBus) -> None:
    fake.refuses = True
    with pytest.raises(ConflictingFact, match="nothing"):
        await publish(fake, an_event(ChunkAdded))


async def test_another_refusal_of_the_broker_is_passed_on(fake: PaperBus) -> None:
    fake.raises = nats.js.errors.APIError(code=503, err_code=10077, description="refused")
    with pytest.raises(nats.js.errors.APIError):
        await publish(fake, an_event(ChunkAdded))


async def test_of_many_workers_at_once_one_is_new(fake: PaperBus) -> None:
    outcomes = await asyncio.gather(*(publish(fake, an_event(ChunkAdded, latency=n)) for n in range(20)))
    assert outcomes.count(Published.NEW) == 1
