"""Whole answers that break the contract: named, and not tried again."""

import gzip
from typing import Any

import pytest
from tests.integration.participant_client.client_calls import ADD, ADD_OK, failing
from tests.integration.participant_client.served_participant import Handler, Participant, answers, serving

from aml.runtime.participant import (
    AuthenticationRefused,
    EchoMismatched,
    HttpRefused,
    JsonInvalid,
    LimitExceeded,
    ParticipantError,
    SchemaViolated,
)


@pytest.mark.parametrize(
    ("handler", "kind", "reason", "hint"),
    [
        (answers(body=b"<html>oops</html>"), JsonInvalid, "contract", "<html>oops"),
        (answers(body=b'{"data":[],"data":[]}'), JsonInvalid, "contract", "twice"),
        (answers({}), SchemaViolated, "contract", "$.data"),
        (answers({"data": [{"id": "a", "content": ""}]}), SchemaViolated, "contract", "$.data[0].content"),
        (answers({"data": [{"id": str(n), "content": "c"} for n in range(3)]}), LimitExceeded, "limit", "top_k = 2"),
        (answers(body=b"x" * 100_001), LimitExceeded, "limit", "larger than 100000 bytes"),
        (answers({}, status=401), AuthenticationRefused, "authentication", "401"),
        (answers({}, status=403), AuthenticationRefused, "authentication", "403"),
        (answers({"detail": "no query"}, status=422), HttpRefused, "contract", "no query"),
        (answers({}, status=404), HttpRefused, "contract", "404"),
        (answers({}, status=409), HttpRefused, "contract", "409"),
        (answers({}, status=204), HttpRefused, "contract", "204"),
        (answers(body=gzip.compress(b'{"data": []}'), Content_Encoding="gzip"), HttpRefused, "contract", "compressed"),
    ],
)  # fmt: skip
async def test_permanent_faults_of_search(
    handler: Handler, kind: type[ParticipantError], reason: str, hint: str
) -> None:
    participant = Participant(handler)
    async with serving(participant) as base:
        error = await failing(base)

    assert type(error) is kind
    assert error.unscored_reason == reason
    assert hint in str(error)
    assert len(participant.bodies) == len(error.attempts) == 1, "not tried again"
    assert error.attempts[0].layer == error.layer
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("value", "status", "kind", "path"),
    [
        (ADD_OK | {"request_id": ADD.request_id.upper()}, 200, EchoMismatched, "$.request_id"),
        (ADD_OK | {"success": "true"}, 200, SchemaViolated, "$.success"),
        ({"success": True}, 200, SchemaViolated, "$.request_id"),
        ({"task_id": "t1"}, 202, HttpRefused, None),
        (ADD_OK, 201, HttpRefused, None),
    ],
)
async def test_permanent_faults_of_add(value: Any, status: int, kind: type[ParticipantError], path: str | None) -> None:
    async with serving(Participant(answers(value, status=status))) as base:
        error = await failing(base, "add")

    assert type(error) is kind
    assert (error.path, error.status, error.request_id, len(error.attempts)) == (path, status, ADD.request_id, 1)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_not_followed_and_the_key_not_sent_on(status: int) -> None:
    other = Participant(answers({"data": []}))
    async with (
        serving(other) as elsewhere,
        serving(Participant(answers({}, status=status, Location=elsewhere))) as base,
    ):
        error = await failing(base)

    assert isinstance(error, HttpRefused)
    assert other.bodies == []
