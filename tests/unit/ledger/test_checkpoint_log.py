import asyncio
from collections.abc import Awaitable, Callable

import psycopg
import pytest

from aml.ledger import checkpoint_log
from aml.ledger.checkpoint_log import Checkpointer
from aml.ledger.errors import LogForked, LogStoreUnavailable, QuorumPending


class Steps:
    """Each call raises the next of `errors`, or succeeds."""

    def __init__(self, *errors: Exception | None) -> None:
        self.errors = list(errors)
        self.calls = 0
        self.on_call: Callable[[], None] = lambda: None

    async def __call__(self) -> None:
        self.calls += 1
        self.on_call()
        if self.errors and (error := self.errors.pop(0)) is not None:
            raise error


def a_checkpointer(*steps: Callable[[], Awaitable[object]]) -> Checkpointer:
    return Checkpointer(steps, interval_seconds=0.001)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_log, "_BACKOFF_SECONDS", (0.001,))
    monkeypatch.setattr(checkpoint_log, "_IDLE_SECONDS", 0.001)


@pytest.mark.parametrize(
    ("error", "problem", "refuses"),
    [
        (psycopg.OperationalError("gone\nhint"), "the database is away: gone", False),
        (LogStoreUnavailable("tile/0/000", "No space left on device"), "cannot be used: tile/0/000: No space", False),
        (OSError(28, "No space left on device"), "the signer's memory cannot be written: No space", False),
        (RuntimeError("surprise"), "RuntimeError: surprise", False),
        (LogForked(9, "its rows give another root"), "of 9 entries cannot be signed", True),
    ],
)
async def test_what_keeps_it_from_signing_is_said(error: Exception, problem: str, refuses: bool) -> None:
    checkpointer = a_checkpointer(Steps(error, None))

    assert not await checkpointer.pass_once()
    assert problem in (checkpointer.problem or "")
    assert (checkpointer.refusal is error) == refuses
    assert await checkpointer.pass_once()
    assert (checkpointer.problem, checkpointer.refusal) == (None, None)


async def test_missing_witnesses_are_no_problem_of_the_log_but_it_asks_again() -> None:
    stop = asyncio.Event()
    sign, ask = Steps(), Steps(QuorumPending(7, "too few"), QuorumPending(8, "too few"), None)
    checkpointer = a_checkpointer(sign, ask)

    assert not await checkpointer.pass_once()
    assert checkpointer.problem is None
    assert "of 7 entries is not published: too few" in (checkpointer.waiting or "")
    ask.on_call = lambda: stop.set() if ask.calls == 4 else None
    await checkpointer.run(stop)
    assert checkpointer.waiting is None
    assert sign.calls == ask.calls == 4


async def test_the_start_waits_for_the_signature_and_not_for_witnesses() -> None:
    sign, ask = Steps(psycopg.OperationalError("gone"), None), Steps(*[QuorumPending(7, "too few")] * 9)
    checkpointer = a_checkpointer(sign, ask)

    await checkpointer.until_signed(asyncio.Event())

    assert (sign.calls, ask.calls) == (2, 1)


async def test_growth_wakes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_log, "_IDLE_SECONDS", 60.0)
    stop, steps = asyncio.Event(), Steps()
    checkpointer = a_checkpointer(steps)
    running = asyncio.create_task(checkpointer.run(stop))
    for expected in (1, 2, 3):
        async with asyncio.timeout(5):
            while steps.calls < expected:
                await asyncio.sleep(0.001)
        checkpointer.wake()
    stop.set()
    checkpointer.wake()
    await running
