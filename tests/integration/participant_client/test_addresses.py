"""Which addresses are called: none that is private unless allowed, none by a proxy."""

import socket

import pytest
from tests.integration.participant_client.client_calls import SEARCH, a_client, failing, to_loopback
from tests.integration.participant_client.served_participant import Participant, answers, serving

from aml.contracts.participant import ParticipantTarget
from aml.contracts.release import RetryPolicy
from aml.runtime.participant import AddressRefused, ParticipantClient


def test_loopback_needs_allow_private() -> None:
    with pytest.raises(AddressRefused):
        a_client("http://127.0.0.1:1", allow_private=False)


async def test_a_name_that_leads_to_loopback_is_refused_before_anything_is_sent() -> None:
    participant = Participant(answers({"data": []}))
    async with serving(participant) as base:
        port = base.rpartition(":")[2]
        error = await failing(f"http://memory.example:{port}", allow_private=False, lookup=to_loopback)
        async with a_client(f"http://memory.example:{port}", lookup=to_loopback) as client:
            await client.search(SEARCH)

    assert isinstance(error, AddressRefused)
    assert len(error.attempts) == 1
    assert [headers["Host"] for headers in participant.headers] == [f"memory.example:{port}"]


async def test_names_without_an_address_are_tried_again() -> None:
    async def unknown(_: str, __: int) -> list[tuple[int, str]]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    async def empty(_: str, __: int) -> list[tuple[int, str]]:
        return []

    for lookup in (unknown, empty):
        error = await failing("http://memory.example", lookup=lookup)
        assert "does not resolve" in str(error)
        assert len(error.attempts) == 3


@pytest.mark.parametrize("template", ["http://127.0.0.1/tasks", "http://10.0.0.1:x/{task_id}", "ftp://a/{task_id}"])
def test_a_status_url_is_judged_when_the_client_is_made(template: str) -> None:
    target = ParticipantTarget(add_url="http://127.0.0.1/", search_url="http://127.0.0.1/", add_status_url=template)
    with pytest.raises(AddressRefused):
        ParticipantClient(
            target, secret=None, policy=RetryPolicy(), allow_private=True, chance=lambda: 0.5, schemes=("http",)
        )


async def test_proxy_variables_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    async with serving(Participant(answers({"data": []}))) as base, a_client(base) as client:
        assert (await client.search(SEARCH)).memories == ()
