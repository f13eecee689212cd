import asyncio
from typing import Any

import psycopg
import pytest

from aml.ledger import append_stream
from aml.ledger.append_batch import StreamMessage
from aml.ledger.append_stream import Stopping, StreamAppender
from aml.ledger.errors import LogWentBack
from aml.runtime.clock import FixedClock

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


@pytest.fixture
def signed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    calls: list[int] = []

    async def sign_head(*_: object) -> int:
        calls.append(1)
        return 1

    monkeypatch.setattr(append_stream, "sign_head", sign_head)
    monkeypatch.setattr(append_stream, "_BACKOFF_SECONDS", (0.001,))
    return calls


def an_appender(sequencer: Any, stop: asyncio.Event | None = None) -> StreamAppender:
    nothing: Any = None
    appender = StreamAppender(nothing, sequencer, nothing, FixedClock(0), stop or asyncio.Event())
    sequencer.appender = appender
    return appender


async def test_a_batch_is_kept_until_it_is_durable_and_then_signed(signed: list[int]) -> None:
    sequencer = ScriptedSequencer(psycopg.OperationalError("disk full\nhint"), RuntimeError("surprise"))
    appender = an_appender(sequencer)
    await appender.append(BATCH)
    assert sequencer.appended == [BATCH]
    assert signed == [1]
    assert sequencer.problems == [None, "the database is away: disk full", "RuntimeError: surprise"]
    assert appender.problem is None


async def test_a_log_that_went_back_holds_up_and_says_why(signed: list[int]) -> None:
    sequencer = ScriptedSequencer(LogWentBack(9, 4))
    await an_appender(sequencer).append(BATCH)
    assert "but 9 were signed" in (sequencer.problems[1] or "")


async def test_a_process_that_ends_gives_the_batch_up_unsigned(signed: list[int]) -> None:
    stop = asyncio.Event()
    stop.set()
    with pytest.raises(Stopping):
        await an_appender(ScriptedSequencer(psycopg.OperationalError("gone")), stop).append(BATCH)
    assert signed == []
