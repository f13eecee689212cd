import asyncio
from typing import Any

import psycopg
import pytest

from aml.ledger import append_stream
from aml.ledger.append_batch import StreamMessage
from aml.ledger.append_stream import Stopping, StreamAppender
from aml.ledger.errors import LedgerError, LogWentBack

BATCH = [StreamMessage(1, "aml.v1.job.a.job_failed", b"{}")]


class ScriptedSequencer:
    """Fails with each of `failures` in turn, then appends."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.appended: list[list[StreamMessage]] = []
        self.appender: StreamAppender | None = None
        self.problems: list[str | None] = []

    async def append(self, messages: list[StreamMessage]) -> None:
        if self.appender is not None:
            self.problems.append(self.appender.problem)
        if self.failures:
            raise self.failures.pop(0)
        self.appended.append(messages)


class ScriptedCheckpointer:
    """Refuses with each of `refusals` in turn, then has no objection."""

    def __init__(self, *refusals: LedgerError) -> None:
        self.refusals = list(refusals)
        self.woken = 0

    def refusal(self) -> LedgerError | None:
        return self.refusals.pop(0) if self.refusals else None

    def wake(self) -> None:
        self.woken += 1


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(append_stream, "_BACKOFF_SECONDS", (0.001,))


def an_appender(
    sequencer: Any, stop: asyncio.Event | None = None, checkpointer: ScriptedCheckpointer | None = None
) -> StreamAppender:
    nothing: Any = None
    beside = checkpointer or ScriptedCheckpointer()
    appender = StreamAppender(nothing, sequencer, stop or asyncio.Event(), beside.refusal, beside.wake)
    sequencer.appender = appender
    return appender


async def test_a_batch_is_kept_until_it_is_durable_and_then_the_checkpointer_is_woken() -> None:
    sequencer = ScriptedSequencer(psycopg.OperationalError("disk full\nhint"), RuntimeError("surprise"))
    checkpointer = ScriptedCheckpointer()
    appender = an_appender(sequencer, checkpointer=checkpointer)
    await appender.append(BATCH)
    assert sequencer.appended == [BATCH]
    assert checkpointer.woken == 1
    assert sequencer.problems == [None, "the database is away: disk full", "RuntimeError: surprise"]
    assert appender.problem is None


async def test_a_log_that_must_not_be_signed_does_not_grow_and_says_why() -> None:
    sequencer = ScriptedSequencer()
    checkpointer = ScriptedCheckpointer(LogWentBack(9, 4))
    await an_appender(sequencer, checkpointer=checkpointer).append(BATCH)
    assert "but 9 were signed" in (sequencer.problems[0] or "")
    assert sequencer.appended == [BATCH]
    assert checkpointer.woken == 2


async def test_a_process_that_ends_gives_the_batch_up() -> None:
    stop = asyncio.Event()
    stop.set()
    checkpointer = ScriptedCheckpointer()
    with pytest.raises(Stopping):
        await an_appender(ScriptedSequencer(psycopg.OperationalError("gone")), stop, checkpointer).append(BATCH)
    assert checkpointer.woken == 0
