"""A participant that sends its key back does not get it into what we write down."""

import logging
import traceback

import msgspec
import pytest
from tests.integration.participant_client.client_calls import ADD_OK, CANARY, failing
from tests.integration.participant_client.served_participant import Handler, Participant, answers, raw, serving


@pytest.mark.parametrize("call", ["add", "search"])
async def test_the_key_is_in_no_error_log_or_evidence(call: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echoing: list[Handler] = [
        answers({"data": CANARY, "success": CANARY}),
        answers(ADD_OK | {"request_id": CANARY, "data": [{"id": CANARY, "content": 3}]}),
        answers({"key": CANARY}, status=401),
        answers({"key": CANARY}, status=500),
        answers({}, status=302, Location=f"http://{CANARY}.example/"),
        answers(body=CANARY.encode()),
        answers(body=f'{{"{CANARY}":1,"{CANARY}":2}}'.encode()),
        answers({}, Content_Encoding=CANARY),
    ]
    errors = []
    for handler in echoing:
        async with serving(Participant(handler)) as base:
            errors.append(await failing(base, call))
    async with raw(f"HTTP/1.1 {CANARY}\r\n\r\n".encode()) as base:
        errors.append(await failing(base, call))
    async with raw(f"HTTP/1.1 200 OK\r\n{CANARY}\r\n\r\n".encode()) as base:
        errors.append(await failing(base, call))

    for error in errors:
        report = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
        shown = [str(error), repr(error), report, repr(vars(error)), msgspec.json.encode(error.attempts).decode()]
        assert error.__cause__ is None
        assert error.__context__ is None
        assert all(CANARY not in text for text in shown[:2] + shown[3:])
        assert f"Bearer {CANARY}" not in report
    assert CANARY not in caplog.text
