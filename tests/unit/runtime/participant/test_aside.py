"""Large bodies: judged elsewhere, one at a time, with a rest after each."""

import asyncio
import threading
import time

import pytest

from aml.runtime.participant.aside import REST, Aside
from aml.runtime.participant.errors import JsonInvalid
from aml.runtime.participant.reply import Reply

REPLY = Reply(status=200, body=b"{}", retry_after=None)


async def test_it_runs_in_another_thread_and_rests_afterwards() -> None:
    aside, spans = Aside(), []

    def check(_: Reply) -> int:
        began = time.perf_counter()
        time.sleep(0.02)
        spans.append((began, time.perf_counter()))
        return threading.get_ident()

    threads = await asyncio.gather(aside.judge(check, REPLY), aside.judge(check, REPLY))
    assert threading.get_ident() not in threads
    (began, ended), (next_began, _) = spans
    assert next_began - ended >= REST * (ended - began) * 0.8


async def test_what_the_check_raises_comes_through_and_the_next_has_its_turn() -> None:
    def refuse(_: Reply) -> None:
        raise JsonInvalid("no")

    aside = Aside()
    for _ in range(2):
        with pytest.raises(JsonInvalid):
            await aside.judge(refuse, REPLY)


async def test_another_client_does_not_wait_for_the_rest() -> None:
    slow, other = Aside(), Aside()
    await slow.judge(lambda _: time.sleep(0.1), REPLY)
    async with asyncio.timeout(REST * 0.1):
        await other.judge(lambda _: None, REPLY)
