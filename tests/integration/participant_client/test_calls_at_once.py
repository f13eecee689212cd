"""Many calls at once: the connections they share, the pace they keep, and what one leaves to the others."""

import asyncio
import json

import pytest
from aiohttp import web
from tests.integration.participant_client.client_calls import SEARCH, a_client
from tests.integration.participant_client.served_participant import Participant, answers, serving

from aml.contracts.participant import CallLimits


async def test_sixty_four_calls_share_the_connections_allowed() -> None:
    async def slowly(_: web.Request, __: bytes) -> web.StreamResponse:
        await asyncio.sleep(0.01)
        return web.json_response({"data": []})

    participant = Participant(slowly)
    async with serving(participant) as base, a_client(base, add_concurrency=8, search_concurrency=8) as client:
        outcomes = await asyncio.gather(*(client.search(SEARCH) for _ in range(64)))

    assert len(outcomes) == len(participant.bodies) == 64
    assert len(participant.peers) == 8


async def test_a_cancelled_call_leaves_a_client_that_works() -> None:
    async def hang(_: web.Request, __: bytes) -> web.StreamResponse:
        await asyncio.sleep(30)
        raise AssertionError

    async with (
        serving(Participant(hang, answers({"data": []}))) as base,
        a_client(base, search_concurrency=1) as client,
    ):
        call = asyncio.create_task(client.search(SEARCH))
        await asyncio.sleep(0.05)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await client.search(SEARCH)).memories == ()


async def test_a_429_halves_the_calls_at_once_and_successes_bring_them_back() -> None:
    inside = most = 0

    async def crowded(_: web.Request, __: bytes) -> web.StreamResponse:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.002)
        inside -= 1
        return web.json_response({"data": []})

    busy = answers({}, status=429)
    async with serving(Participant(busy, crowded)) as base, a_client(base, search_concurrency=8) as client:
        await client.search(SEARCH)
        assert client.turnstiles["search"].pace.allowed == 4
        await asyncio.gather(*(client.search(SEARCH) for _ in range(12)))
        assert 4 <= most < 8
        await asyncio.gather(*(client.search(SEARCH) for _ in range(60)))
        assert (client.turnstiles["search"].pace.allowed, most) == (8, 8)
        assert client.turnstiles["add"].pace.allowed == 64, "each kind of call has its own pace"


async def test_a_large_answer_is_judged_while_others_are_answered() -> None:
    large = json.dumps({"data": [{"id": "a", "content": "tea " * 2_000_000}]}).encode()
    async with (
        serving(Participant(answers(body=large))) as base,
        serving(Participant(answers({"data": []}))) as other,
        a_client(base, limits=CallLimits()) as big,
        a_client(other) as small,
    ):
        task = asyncio.create_task(big.search(SEARCH))
        count = 0
        while not task.done():
            await small.search(SEARCH)
            count += 1
    assert len((await task).memories[0].content) == 8_000_000
    assert count >= 3
