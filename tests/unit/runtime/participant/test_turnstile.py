"""As many inside as the pace allows, in the order in which they came."""

import asyncio

import pytest

from aml.runtime.participant.turnstile import Turnstile


async def test_no_more_than_allowed_are_inside_and_the_order_is_kept() -> None:
    turnstile, inside, most, order = Turnstile(3), 0, 0, []

    async def visit(number: int) -> None:
        nonlocal inside, most
        await turnstile.enter()
        order.append(number)
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.001)
        inside -= 1
        turnstile.leave()

    await asyncio.gather(*(visit(number) for number in range(20)))
    assert most == 3
    assert order == list(range(20))


async def test_after_a_fall_fewer_come_in_and_the_epoch_tells_old_calls() -> None:
    turnstile = Turnstile(4)
    epochs = [await turnstile.enter() for _ in range(4)]
    for epoch in epochs:
        turnstile.failed(status=429, retryable=True, began_in=epoch)
        turnstile.leave()
    assert turnstile.pace.allowed == 2
    assert [await turnstile.enter() for _ in range(2)] == [1, 1]
    third = asyncio.create_task(turnstile.enter())
    await asyncio.sleep(0)
    assert not third.done()
    turnstile.leave()
    assert await third == 1


async def test_a_rise_lets_another_in() -> None:
    turnstile = Turnstile(2)
    turnstile.failed(status=429, retryable=True, began_in=0)
    await turnstile.enter()
    turnstile.succeeded()
    waiting = [asyncio.create_task(turnstile.enter()) for _ in range(3)]
    turnstile.leave()
    await asyncio.sleep(0)
    assert [task.done() for task in waiting] == [True, True, False]
    waiting[2].cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting[2]


@pytest.mark.parametrize("turn_has_come", [False, True])
async def test_a_cancelled_visitor_takes_nobodys_place(turn_has_come: bool) -> None:
    turnstile = Turnstile(1)
    await turnstile.enter()
    gone, next_one = asyncio.create_task(turnstile.enter()), asyncio.create_task(turnstile.enter())
    await asyncio.sleep(0)
    if turn_has_come:
        turnstile.leave()
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    if not turn_has_come:
        turnstile.leave()
    async with asyncio.timeout(1):
        await next_one
