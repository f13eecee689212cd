import json
from typing import Any

import pytest
from tests.factories.openai_stub import completion_body

from aml.judge.model_calls.attempt_policy import Fault
from aml.judge.model_calls.completion import Completion
from aml.judge.model_calls.reply_reading import read_reply


def read(body: dict[str, Any] | bytes) -> Completion | Fault:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return read_reply(raw, asked_model="asked", retry_calls=2)


def test_a_full_reply() -> None:
    reply = read(completion_body("Ghent now", "served", 7))
    assert isinstance(reply, Completion)
    assert (reply.text, reply.model, reply.system_fingerprint) == ("Ghent now", "served", "fp_stub")
    assert (reply.prompt_tokens, reply.completion_tokens, reply.finish_reason) == (7, 2, "stop")
    assert (reply.primary_calls, reply.retry_calls) == (1, 2)


def test_a_reply_with_the_least_that_is_needed() -> None:
    reply = read({"choices": [{"message": {"content": "x"}}]})
    assert isinstance(reply, Completion)
    assert (reply.model, reply.prompt_tokens, reply.system_fingerprint) == ("asked", 0, None)


def test_empty_text_that_the_model_ended_is_an_answer() -> None:
    assert isinstance(read(completion_body("", "m", 1)), Completion)


def test_text_that_was_cut_off_is_an_answer_too() -> None:
    reply = read(completion_body("half an", "m", 1, finish_reason="length"))
    assert isinstance(reply, Completion)
    assert reply.finish_reason == "length"


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"{", "no chat completion"),
        (b"\xff", "no chat completion"),
        (b"[]", "no chat completion"),
        ({"choices": []}, "no choices"),
        ({"error": "x"}, "no chat completion"),
        ({"choices": [{"message": {"content": 3}}]}, "no chat completion"),
        (completion_body(None, "m", 1), "no text"),
        (completion_body(" ", "m", 1, finish_reason="length"), "cut off"),
    ],
)
def test_everything_else_is_unusable(body: dict[str, Any] | bytes, detail: str) -> None:
    fault = read(body)
    assert isinstance(fault, Fault)
    assert fault.kind == "unusable"
    assert detail in fault.detail
