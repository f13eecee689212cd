"""What is tried again, how often and after which wait."""

import gzip

import pytest
from tests.integration.participant_client.client_calls import ADD, ADD_OK, SEARCH, Sleeps, a_client, failing
from tests.integration.participant_client.served_participant import Participant, answers, serving

from aml.runtime.participant import HttpRefused


async def test_retries_repeat_the_bytes_and_wait_as_asked() -> None:
    sleeps = Sleeps()
    participant = Participant(answers({}, status=429, Retry_After="3"), answers({}, status=500), answers(ADD_OK))
    async with serving(participant) as base, a_client(base, sleep=sleeps) as client:
        outcome = await client.add(ADD)

    assert sleeps.seconds == [3.0, 0.5]
    assert [(attempt.number, attempt.status, attempt.layer) for attempt in outcome.attempts] == [
        (1, 429, "http"), (2, 500, "http"), (3, 200, None),
    ]  # fmt: skip
    assert len(set(participant.bodies)) == 1


async def test_a_compressed_error_page_is_judged_by_its_status() -> None:
    busy = answers(body=gzip.compress(b"busy"), status=503, Content_Encoding="gzip")
    async with serving(Participant(busy, answers({"data": []}))) as base, a_client(base) as client:
        assert len((await client.search(SEARCH)).attempts) == 2


async def test_attempts_end_and_the_error_holds_each_of_them() -> None:
    async with serving(Participant(answers({"e": "busy"}, status=503, Retry_After="9999"))) as base:
        sleeps = Sleeps()
        error = await failing(base, sleep=sleeps)

    assert isinstance(error, HttpRefused)
    assert (error.status, error.attempt, error.unscored_reason, error.retryable) == (503, 3, "transport", True)
    assert [attempt.status for attempt in error.attempts] == [503, 503, 503]
    assert sleeps.seconds == [8.0, 8.0], "clamped"
    assert error.excerpt == '{"e": "busy"}'


async def test_health_that_fails_is_one_attempt() -> None:
    participant = Participant(answers({}, status=503))
    async with serving(participant) as base, a_client(base) as client:
        with pytest.raises(HttpRefused) as error:
            await client.health()
    assert (error.value.call, error.value.status, len(participant.bodies)) == ("health", 503, 1)
