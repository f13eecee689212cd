"""A real run, exported by the command, verified by both verifiers, then changed by one byte."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.e2e.running_stack import SMOKE, RunningStack, dataset_of, ended, run_order
from tests.factories.memory_server import MemoryServer

from aml.toolkit.platform import Platform

pytestmark = [pytest.mark.stack]

AML = (sys.executable, "-c", "from aml.toolkit.cli.app import main; main()", "audit")
SECOND_WAY = (sys.executable, "-m", "aml.rules.verify")


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(each) for each in command], capture_output=True, text=True, timeout=90, check=False)


async def test_a_job_is_exported_verified_told_and_judged_again(
    stack: RunningStack, platform: Platform, server: MemoryServer, tmp_path: Path
) -> None:
    job = await platform.create_run(run_order(server, dataset=dataset_of(SMOKE)))
    results = await ended(platform, job.job_id)
    home, key, bundle, report = stack.info.home, tmp_path / "key", tmp_path / "job.zip", tmp_path / "report.json"
    key.write_text(run(*AML, "key", "--home", home).stdout)

    exported = run(*AML, "export", "--job", job.job_id, "--open", "--out", bundle, "--home", home)
    assert exported.returncode == 0, exported.stderr

    verified = run(*AML, "verify", bundle, "--key", key, "--json", report)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    outcomes = {each["name"]: each["outcome"] for each in json.loads(report.read_text())["checks"]}
    assert outcomes["openings"] == outcomes["gate"] == outcomes["chains"] == "passed"
    again = run(*SECOND_WAY, bundle, key)
    assert again.returncode == 0, again.stdout + again.stderr

    told = run(*AML, "replay", bundle).stdout.splitlines()
    live = run(*AML, "replay", "--job", job.job_id, "--home", home).stdout.splitlines()
    assert told == live
    assert "gate refused" in told[-1], "a run of one's own is never published"

    judged = run(*AML, "rejudge", bundle, "--judge", "practice", "--json", report)
    assert judged.returncode == 0, judged.stderr
    moved = json.loads(report.read_text())
    [dataset] = results.result.datasets
    assert (moved["agreed"], moved["better"], moved["worse"]) == (dataset.all_questions.scored, 0, 0)

    changed = tmp_path / "changed.zip"
    change_one_byte(bundle, changed)
    for command in ((*AML, "verify", changed, "--key", key), (*SECOND_WAY, changed, key)):
        refused = run(*command)
        assert refused.returncode == 1
        assert "refused [leaf_differs] entry " in refused.stdout


async def test_the_whole_log_is_exported_while_it_grows(stack: RunningStack, tmp_path: Path) -> None:
    key, one, two = tmp_path / "key", tmp_path / "one.zip", tmp_path / "two.zip"
    key.write_text(run(*AML, "key", "--home", stack.info.home).stdout)
    for file in (one, two):
        done = run(*AML, "export", "--cycle", "--out", file, "--url", stack.address("ledger"))
        assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(one) as archive:
        (tmp_path / "older").write_bytes(archive.read("checkpoint"))
    verified = run(*AML, "verify", two, "--key", key, "--previous", tmp_path / "older")
    assert verified.returncode == 0, verified.stdout + verified.stderr


def change_one_byte(bundle: Path, changed: Path) -> None:
    with zipfile.ZipFile(bundle) as source, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as target:
        for member in source.infolist():
            data = source.read(member)
            if member.filename == "entries/00000.jsonl":
                at = data.index(b'"latency":') + len(b'"latency":')
                data = data[:at] + (b"9" if data[at : at + 1] != b"9" else b"8") + data[at + 1 :]
            target.writestr(member.filename, data)
