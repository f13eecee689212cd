import msgspec
import pytest
from aiohttp.test_utils import TestClient, TestServer

from aml.examples.nothing import NoMemory
from aml.examples.serve import ConflictError, Message, Part, application, shown

ADD = {"request_id": "r", "messages": [{"role": "user", "content": "x"}], "user_id": "u", "session_id": "s\u0000é"}
SEARCH = {"query": "x", "user_id": "u", "top_k": 5}


async def test_the_contracts_answers() -> None:
    async with TestClient(TestServer(application(NoMemory()))) as client:
        added = await client.post("/add", json=ADD)
        found = await client.post("/search", json=SEARCH)
        health = await client.get("/health")

        assert (added.status, await added.json()) == (
            200, {"success": True, "request_id": "r", "user_id": "u", "session_id": "s\u0000é"},
        )  # fmt: skip
        assert (found.status, await found.json()) == (200, {"data": []})
        assert health.status == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401), ({"Authorization": "Bearer wrong"}, 401), ({"Authorization": "Bearer key"}, 200),
        ({"Authorization": "Token key"}, 200), ({"X-Api-Key": "key"}, 200), ({"X-Api-Key": "Bearer key"}, 401),
        ({"X-Api-Key": "k\udcffy"}, 401), ({"X-Api-Key": "ключ"}, 401),
    ],
)  # fmt: skip
async def test_a_token_is_asked_for_but_not_by_health(headers: dict[str, str], status: int) -> None:
    async with TestClient(TestServer(application(NoMemory(), "key"))) as client:
        assert (await client.post("/search", json=SEARCH, headers=headers)).status == status
        assert (await client.get("/health")).status == 200


@pytest.mark.parametrize(
    "body", [b"", b"{}", b'{"query":1,"user_id":"u","top_k":5}', b'{"query":"x","user_id":"u","top_k":-1}', b"\xff"]
)
async def test_bad_requests_are_422_with_the_reason(body: bytes) -> None:
    async with TestClient(TestServer(application(NoMemory()))) as client:
        response = await client.post("/search", data=body)
        assert response.status == 422
        assert msgspec.json.decode(await response.read())["detail"]["reason"]


async def test_a_conflict_is_not_to_be_tried_again() -> None:
    class Conflicting(NoMemory):
        def add(self, request: object) -> None:
            raise ConflictError("written before")

    async with TestClient(TestServer(application(Conflicting()))) as client:
        assert (await client.post("/add", json=ADD)).status == 422


def test_the_day_stands_before_the_text() -> None:
    assert shown(Message(role="user", content="hi", timestamp=1683504000000)) == (
        "[2023-05-08] hi",
        "2023-05-08T00:00:00Z",
    )
    assert shown(Message(role="user", content=[Part(type="text", text="hi")])) == ("hi", None)
    assert shown(Message(role="user", content="hi", timestamp=10**18)) == ("hi", None)
