"""What reaches a participant: the contract's bytes and headers, and nothing that may not be sent."""

import json

import msgspec
import pytest
from tests.integration.participant_client.client_calls import ADD, ADD_OK, CANARY, SEARCH, a_client
from tests.integration.participant_client.served_participant import Participant, answers, serving

from aml.contracts.participant import ImagePart, ImageUrl, Memory, Message, TextPart
from aml.runtime.clock import FixedClock
from aml.runtime.participant import EchoMismatched, RequestRefused


async def test_add_and_search_carry_the_contracts_bytes_and_headers() -> None:
    participant = Participant(
        answers(ADD_OK),
        answers({"data": [{"id": "m1", "content": "tea", "score": 0.5, "x": 1}]}),
        answers({"data": []}),
    )
    async with serving(participant) as base, a_client(base, clock=FixedClock(7_000)) as client:
        added = await client.add(ADD)
        found = await client.search(SEARCH)
        nothing = await client.search(SEARCH)

    assert json.loads(participant.bodies[0]) == {
        "request_id": ADD.request_id,
        "messages": [{"role": "user", "content": "Zoë: 我喜欢茶 😀", "timestamp": 1704067200000}],
        "user_id": ADD.user_id,
        "session_id": ADD.session_id,
    }
    assert json.loads(participant.bodies[1]) == {"query": "Who likes tea?", "user_id": "eval:run:d:s", "top_k": 2}
    headers = participant.headers[0]
    assert headers["Content-Type"] == "application/json"
    assert headers["Accept-Encoding"] == "identity"
    assert headers["Authorization"] == f"Bearer {CANARY}"
    assert (added.status, len(added.attempts), added.attempts[0].layer) == (200, 1, None)
    assert added.attempts[0].started_ms == 7_000
    assert added.attempts[0].bytes_read == len(json.dumps(ADD_OK))
    assert 0 < added.latency_us < 5_000_000
    assert found.memories == (Memory(id="m1", content="tea", score=0.5),)
    assert nothing.memories == ()
    assert participant.paths == ["/add", "/search", "/search"]
    assert len(participant.peers) == 1, "one kept connection"


async def test_an_encoded_request_is_sent_as_it_is_and_its_echo_checked() -> None:
    body = msgspec.json.encode(ADD)
    participant = Participant(answers(ADD_OK), answers(ADD_OK | {"user_id": "eval:run:d:S"}))
    async with serving(participant) as base, a_client(base) as client:
        await client.add(body)
        with pytest.raises(EchoMismatched):
            await client.add(body)
    assert participant.bodies == [body, body]


@pytest.mark.parametrize(
    ("auth", "header", "value"),
    [
        ("token", "Authorization", f"Token {CANARY}"), ("bearer", "Authorization", f"Bearer {CANARY}"),
        ("x-api-key", "X-Api-Key", CANARY), ("none", "Authorization", None),
    ],
)  # fmt: skip
async def test_each_scheme_and_an_unauthenticated_health(auth: str, header: str, value: str | None) -> None:
    participant = Participant(answers({"data": []}), answers({}, status=204))
    async with serving(participant) as base, a_client(base, auth=auth) as client:
        await client.search(SEARCH)
        health = await client.health()

    assert participant.headers[0].get(header) == value
    assert CANARY not in str(participant.headers[1])
    assert health.status == 204


async def test_a_large_add_is_sent_whole_and_the_same_again() -> None:
    large = msgspec.structs.replace(ADD, messages=(Message(role="user", content="é" * 3_000_000),))
    participant = Participant(answers({}, status=502), answers(ADD_OK))
    async with serving(participant) as base, a_client(base) as client:
        await client.add(large)

    assert participant.bodies == [msgspec.json.encode(large)] * 2
    for headers in participant.headers:
        assert headers["Content-Length"] == str(len(participant.bodies[0]))
        assert headers["Content-Type"] == "application/json"
        assert "Content-Disposition" not in headers


async def test_a_request_bears_the_same_headers_whichever_way_it_goes() -> None:
    """Small ones in one write, large ones in pieces."""
    participant = Participant(answers(ADD_OK))
    large = msgspec.structs.replace(ADD, messages=(Message(role="user", content="tea " * 100_000),))

    async with serving(participant) as base, a_client(base) as client:
        for request in (ADD, large, ADD):
            await client.add(request)

    assert [len(body) for body in participant.bodies] == [
        int(headers.pop("Content-Length")) for headers in participant.headers
    ]
    assert participant.headers[0] == participant.headers[1] == participant.headers[2]
    assert participant.headers[0]["Authorization"] == f"Bearer {CANARY}"
    assert participant.headers[0]["Content-Type"] == "application/json"
    assert len(participant.peers) == 1


async def test_what_may_not_be_sent_reaches_nobody() -> None:
    participant = Participant(answers(ADD_OK))
    remote = ImagePart(image_url=ImageUrl(url="https://example.org/cat.png"))
    message = Message(role="user", content=(TextPart(text="my cat"), remote))
    request = msgspec.structs.replace(ADD, messages=(message,))
    async with serving(participant) as base:
        for sent in (request, msgspec.json.encode(request)):
            async with a_client(base, multimodal=True) as client:
                with pytest.raises(RequestRefused) as raised:
                    await client.add(sent)
            assert raised.value.path == "$.messages[0].content[1].image_url.url"
            assert (raised.value.unscored_reason, raised.value.calls) == ("internal", 0)
    assert participant.bodies == []
