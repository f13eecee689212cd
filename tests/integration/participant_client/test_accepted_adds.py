"""Adds that were answered 202: asked after until done, failed or out of time."""

from tests.integration.participant_client.client_calls import ADD, ADD_OK, CANARY, Sleeps, a_client, failing
from tests.integration.participant_client.served_participant import Participant, answers, serving

from aml.contracts.participant import CallLimits, StatusPolling
from aml.contracts.release import RetryPolicy
from aml.runtime.participant import TransportFailed


async def test_an_accepted_add_is_asked_after_until_it_is_done() -> None:
    sleeps = Sleeps()
    participant = Participant(
        answers({"task_id": "t/1"}, status=202, Retry_After="7"),
        answers({"status": "queued"}),
        answers({}, status=503),
        answers({"task_id": "t/1"}, status=202),
        answers(ADD_OK | {"status": "done", "task_id": "t/1"}),
    )
    polling = StatusPolling(first_seconds=1, growth=2, cap_seconds=5)
    async with (
        serving(participant) as base,
        a_client(base, status_url="/tasks/{task_id}", sleep=sleeps, polling=polling, limits=CallLimits()) as client,
    ):
        outcome = await client.add(ADD)

    assert participant.raw_paths == ["/add"] + ["/tasks/t%2F1"] * 4
    assert [headers.get("Authorization") for headers in participant.headers] == [f"Bearer {CANARY}"] * 5
    assert participant.bodies[1:] == [b""] * 4
    assert sleeps.seconds == [5, 2, 4, 5], "as asked, up to the cap"
    assert (outcome.calls, outcome.status, len(outcome.attempts)) == (1, 202, 5)
    assert [each.poll for each in outcome.attempts] == [False, True, True, True, True]
    assert outcome.received == outcome.attempts[-1].bytes_read


async def test_a_failed_task_is_added_again_with_the_same_bytes() -> None:
    participant = Participant(
        answers({"task_id": "a"}, status=202),
        answers({"status": "failed"}),
        answers({"task_id": "b"}, status=202),
        answers(ADD_OK),
    )
    async with serving(participant) as base, a_client(base, status_url="/tasks/{task_id}") as client:
        outcome = await client.add(ADD)
    assert participant.paths == ["/add", "/tasks/a", "/add", "/tasks/b"]
    assert participant.bodies[0] == participant.bodies[2]
    assert outcome.calls == 2


async def test_asking_ends_with_the_requests_limit() -> None:
    participant = Participant(answers({"task_id": "a"}, status=202), answers({"status": "running"}))
    polling = StatusPolling(first_seconds=1, growth=1, cap_seconds=1)
    limits = CallLimits(total_seconds=4.5, first_byte_seconds=1)
    async with serving(participant) as base:
        error = await failing(
            base, "add", status_url="/tasks/{task_id}", polling=polling, limits=limits, policy=RetryPolicy(attempts=1)
        )
    assert isinstance(error, TransportFailed)
    assert "not done within 4.5 s" in error.problem
    assert (error.calls, len(error.attempts)) == (1, 5)
