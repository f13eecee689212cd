"""Each example as a participant starts it: one command, a ready line, Add and Search through the platform's client."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from aml.contracts.participant import AddRequest, Message, ParticipantTarget, SearchRequest
from aml.contracts.release import RetryPolicy
from aml.runtime.participant import AuthenticationRefused, ParticipantClient
from aml.runtime.secret import Secret

USER = "eval:run:d:conv-1"
ADD = AddRequest(
    request_id=f"{USER}:chunk-0",
    messages=(Message(role="user", content="Ann: my kayak is red", timestamp=1683504000000),),
    user_id=USER,
    session_id="eval:run:conv-1:1",
)
SEARCH = SearchRequest(query="Which colour has the kayak?", user_id=USER, top_k=5)
REMEMBERED = "[2023-05-08] Ann: my kayak is red"


@contextmanager
def running(name: str, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    command = [sys.executable, "-m", f"aml.examples.{name}", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready = re.fullmatch(r"ready (http://127\.0\.0\.1:\d+)\n", process.stdout.readline())
            assert ready is not None, process.stderr and process.stderr.read()
            yield ready[1], process
        finally:
            process.kill()


def a_client(base: str, key: str | None = None) -> ParticipantClient:
    target = ParticipantTarget(
        add_url=f"{base}/add",
        search_url=f"{base}/search",
        health_url=f"{base}/health",
        auth="bearer" if key else "none",
    )
    secret = Secret(key) if key else None
    return ParticipantClient(
        target, secret=secret, policy=RetryPolicy(attempts=1), allow_private=True, chance=lambda: 0.5, schemes=("http",)
    )


async def found(client: ParticipantClient) -> list[Any]:
    return [memory.content for memory in (await client.search(SEARCH)).memories]


@pytest.mark.parametrize(("name", "data"), [("fts5", "memory.db"), ("bm25s_memory", "memory.jsonl")])
async def test_what_was_acknowledged_survives_a_kill(name: str, data: str, tmp_path: Path) -> None:
    options = ("--data", str(tmp_path / data))
    with running(name, *options) as (base, process):
        async with a_client(base) as client:
            await client.health()
            await client.add(ADD)
            assert await found(client) == [REMEMBERED]
        process.kill()
        process.wait()

    with running(name, *options) as (base, _):
        async with a_client(base) as client:
            await client.add(ADD)
            assert await found(client) == [REMEMBERED]


async def test_nothing_remembers_nothing_and_stops_when_asked() -> None:
    with running("nothing") as (base, process):
        async with a_client(base) as client:
            await client.add(ADD)
            assert await found(client) == []
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0


async def test_the_oracle_returns_its_evidence_to_the_key_only(tmp_path: Path) -> None:
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps([{"user": "conv-1", "question": SEARCH.query, "texts": ["red"]}]))
    with running("oracle", "--evidence", str(file), "--token", "sesame") as (base, _):
        async with a_client(base, "sesame") as client:
            assert await found(client) == ["red"]
        async with a_client(base, "wrong") as client:
            with pytest.raises(AuthenticationRefused):
                await client.search(SEARCH)


@pytest.mark.parametrize(
    "arguments",
    [
        ["fts5", "--data", "/nonexistent/folder/memory.db"], ["bm25s_memory", "--data", "/nonexistent/folder/memory.jsonl"],
        ["oracle", "--evidence", "/nonexistent.json"], ["nothing", "--host", "203.0.113.1"],
    ],
)  # fmt: skip
def test_bad_options_are_one_clear_line(arguments: list[str]) -> None:
    command = [sys.executable, "-m", f"aml.examples.{arguments[0]}", *arguments[1:]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)

    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()[-1]) > 20
