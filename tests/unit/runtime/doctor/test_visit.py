from typing import Any

import pytest

from aml.contracts.participant import Memory, ParticipantTarget, TextPart
from aml.runtime.doctor.visit import Call, Subject, Visit, together
from aml.runtime.secret import Secret

KEY = "sk-0123456789-abcdef"
TARGET = ParticipantTarget(add_url="http://127.0.0.1:9/add", search_url="http://127.0.0.1:9/search", auth="bearer")


def a_visit() -> Visit:
    def connect(*_: Any) -> Any:
        raise AssertionError("nothing is called here")

    return Visit(Subject(target=TARGET, secret=Secret(KEY)), connect, "run-1")


def test_what_is_shown_is_bounded_printable_and_without_the_key() -> None:
    shown = a_visit().shown(f"a\n\u202e{'x' * 260}{KEY}{'y' * 500}")
    assert shown.startswith("a\\n\\u202e")
    assert KEY[:6] not in shown
    assert shown.isprintable()
    assert len(shown) < 300


def test_no_half_of_the_key_is_left_at_the_edge() -> None:
    for pad in range(260, 290):
        assert "sk-0" not in a_visit().shown("x" * pad + KEY)


def test_every_id_carries_the_run_so_that_it_can_be_found_and_deleted() -> None:
    assert a_visit().user("echo") == "eval:doctor-run-1:contract:echo"


def test_a_name_is_found_in_text_and_in_parts_whatever_its_case() -> None:
    call = Call(sent="", received="", memories=(Memory(id="1", content=(TextPart(text="KOVADAMI is here"),)),))
    assert call.holds("Kovadami")
    assert not call.holds("Kovadamo")


async def test_a_failure_is_raised_when_all_have_ended() -> None:
    ended: list[int] = []

    async def call(number: int) -> int:
        ended.append(number)
        if number == 1:
            raise ValueError(number)
        return number

    with pytest.raises(ValueError, match="1"):
        await together(call(number) for number in range(4))
    assert ended == [0, 1, 2, 3]
    assert await together(call(number) for number in (5, 6)) == [5, 6]
