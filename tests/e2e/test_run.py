"""`aml run` as a developer has it: a command, a table, a JSON file and an exit code."""

import asyncio
import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.running_stack import FULL, SMOKE, RunningStack
from tests.factories.interruptible import hears_ctrl_c
from tests.factories.memory_server import MemoryServer

from aml.toolkit.evaluation.run_record import load_record
from aml.toolkit.local import LocalStack

pytestmark = pytest.mark.stack

AML = (sys.executable, "-c", "from aml.toolkit.cli.app import main; main()", "run")
COUNTED = {"planned", "scored", "correct", "incorrect", "partial", "unscored"}


async def start(stack: RunningStack, *arguments: str, **environ: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *AML,
        *arguments,
        "--home",
        str(stack.info.home),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | environ,
        preexec_fn=hears_ctrl_c,
    )


async def aml_run(stack: RunningStack, *arguments: str, **environ: str) -> tuple[int | None, str, str]:
    process = await start(stack, *arguments, **environ)
    async with asyncio.timeout(120):
        said, complained = await process.communicate()
    return process.returncode, said.decode(), complained.decode()


def require_sums(counted: dict[str, Any]) -> None:
    assert set(counted) >= COUNTED
    assert counted["planned"] == counted["scored"] + counted["unscored"]
    assert counted["scored"] == counted["correct"] + counted["incorrect"]


async def test_an_example_is_evaluated_and_told_in_a_table_and_in_json(stack: RunningStack, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    code, said, complained = await aml_run(
        stack,
        "--system",
        "example:fts5",
        "--dataset",
        "practice",
        "--limit",
        "20",
        "--sample-seed",
        "7",
        "--json",
        str(out),
    )

    assert (code, complained) == (0, "")
    for part in ("counted in Overall", "95 % interval", "Search", "retries 0", "every one of 20 questions scored"):
        assert part in said
    outcome = json.loads(out.read_text())
    practice = outcome["datasets"]["practice"]
    require_sums(practice)
    assert (practice["planned"], practice["unscored"]) == (20, 0)
    assert sum(each["planned"] for each in practice["categories"].values()) == 20
    assert practice["interval"][0] <= practice["score"] <= practice["interval"][1]
    assert outcome["latency_ms"]["search"]["calls"] == 20
    assert outcome["checkpoint"]["verified"]
    assert outcome["gate"]["decision"] == "refused"
    assert "mode_not_full" in {check["code"] for check in outcome["gate"]["checks"]}
    assert stack.stack.info() is not None, "a stack that ran before goes on running"


async def test_a_threshold_that_is_missed_is_exit_code_3(stack: RunningStack) -> None:
    code, said, _ = await aml_run(
        stack, "--system", "example:nothing", "--dataset", "practice-smoke", "--fail-under", "100"
    )

    assert code == 3
    assert said.splitlines()[-1].endswith("is below 100")


async def test_ctrl_c_leaves_a_run_that_resume_finishes_without_repeating_a_unit(
    stack: RunningStack, server: MemoryServer, tmp_path: Path
) -> None:
    server.delay_seconds = (
        0.05  # of what is cut off in the air, a call may come again: the stack stays, so nothing is cut
    )
    process = await start(stack, "--system", server.url, "--dataset", "practice", "--add-concurrency", "2")
    await server.reached(adds=20)
    process.send_signal(signal.SIGINT)
    said = (await process.communicate())[1].decode()

    assert process.returncode == 130
    [command] = re.findall(r"aml run --resume (\S+)", said)
    server.delay_seconds = 0.0
    out = tmp_path / "out.json"
    code, _, complained = await aml_run(stack, "--resume", command, "--json", str(out))
    assert (code, complained) == (0, "")
    outcome = json.loads(out.read_text())
    assert outcome["run"]["job_id"] == command
    assert outcome["datasets"]["practice"]["scored"] == FULL.questions
    assert (server.adds.repeated, server.searches.repeated) == ({}, {})


async def test_a_stack_and_an_example_of_ones_own_stop_with_ctrl_c_and_come_back_with_resume(tmp_path: Path) -> None:
    home = ("--home", str(tmp_path / "home"))
    process = await asyncio.create_subprocess_exec(
        *AML, *home, "--system", "example:fts5", "--dataset", "practice", "--add-concurrency", "1",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, preexec_fn=hears_ctrl_c,
    )  # fmt: skip
    assert process.stdout is not None
    while b"example:fts5: " not in (await process.stdout.readline()):
        assert not process.stdout.at_eof()
    process.send_signal(signal.SIGTERM)
    said = (await process.communicate())[1].decode()
    local = LocalStack(tmp_path / "home")
    try:
        assert process.returncode == 130
        [job_id] = re.findall(r"the run is stored: aml run --resume (\S+) --home", said)
        record = load_record(local.layout, job_id)
        assert record.example is not None
        assert not record.example.alive
        assert local.info() is None

        resumed = await asyncio.create_subprocess_exec(
            *AML, *home, "--resume", job_id, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        table, complained = await resumed.communicate()

        assert (resumed.returncode, complained) == (0, b"")
        assert f"every one of {FULL.questions} questions scored" in table.decode()
        assert local.info() is None
        assert list((tmp_path / "home" / "runs").glob("*.data*")) == [], "what the example remembered goes with the run"
    finally:
        local.remove()


async def test_the_key_reaches_the_system_and_nothing_else(stack: RunningStack, tmp_path: Path) -> None:
    key = "k-4711-e2e"
    participant = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "aml.examples.fts5", "--token", key, stdout=asyncio.subprocess.PIPE
    )
    assert participant.stdout is not None
    url = (await participant.stdout.readline()).decode().removeprefix("ready ").strip()
    out = tmp_path / "out.json"
    try:
        arguments = ("--system", url, "--dataset", "practice-smoke", "--json", str(out), "--auth", "x-api-key:E2E_KEY")
        right = await aml_run(stack, *arguments, E2E_KEY=key)
        written = out.read_text()
        wrong = await aml_run(stack, *arguments, E2E_KEY="another")
    finally:
        participant.terminate()
        await participant.wait()

    assert right[0] == 0
    assert wrong[0] == 4
    assert "(authentication)" in wrong[1]
    assert json.loads(out.read_text())["datasets"]["practice-smoke"]["unscored_reasons"] == {
        "authentication": SMOKE.questions
    }
    assert not any(key in text for text in (*map(str, right), *map(str, wrong), written, out.read_text()))


async def test_an_unknown_release_is_bad_usage(stack: RunningStack) -> None:
    code, _, complained = await aml_run(
        stack, "--system", "example:nothing", "--dataset", "practice-smoke", "--release", "nope"
    )

    assert code == 2
    assert (
        complained
        == "aml: --release: there is no release 'nope'; offered are openai, practice, toolkit, toolkit-memory, toolkit-openai\n"
    )
