"""A local stack in a temporary home, and jobs on it over the gateway's HTTP API."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from aml.toolkit.local.home import Layout
from aml.toolkit.local.stack import LocalStack, StackInfo
from aml.toolkit.local.state import read_state

from .processes import Usage, read_usage


@dataclass(frozen=True)
class BenchStack:
    info: StackInfo
    client: httpx.Client

    def pids(self) -> dict[str, int]:
        state = read_state(Layout(self.info.home))
        assert state is not None
        return {name: process.identity.pid for name, process in state.processes.items() if process.identity}

    def usage(self) -> Usage:
        return read_usage(self.pids())

    def add_dataset(self, path: Path, sha256: str) -> None:
        link = self.info.home / "datasets" / sha256
        if not link.exists():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path.resolve())

    def start(self, *, participant: str, dataset: dict[str, Any], release: str = "practice") -> str:
        """Starts a run and returns its job id."""
        body = {
            "system": "bench",
            "arm": "participant",
            "mode": "run",
            "release_id": release,
            "run_label": f"bench-{uuid.uuid4().hex[:10]}",
            "endpoints": {f"{call}_url": f"{participant}/{call}" for call in ("add", "search", "health")},
            "auth": "none",
            "allow_private": True,
            "datasets": [dataset],
            "add_concurrency": 16,
            "search_concurrency": 32,
        }
        reply = self.client.post("/api/v1/operator/runs", json=body)
        if reply.status_code >= 300:
            raise RuntimeError(f"the gateway refused the run: {reply.text}")
        return str(reply.json()["job_id"])

    def wait(self, job_id: str, *, seconds: float = 900.0) -> dict[str, Any]:
        """The job's last snapshot, once it is sealed. Polls four times a second: a poll costs the gateway a millisecond."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            snapshot: dict[str, Any] = self.client.get(f"/api/v1/jobs/{job_id}").json()
            if snapshot["sealed"]:
                return snapshot
            time.sleep(0.25)
        raise TimeoutError(f"job {job_id} is not sealed after {seconds} s: {snapshot}")


@contextmanager
def bench_stack(environment: dict[str, str] | None = None) -> Iterator[BenchStack]:
    home = Path(tempfile.mkdtemp(prefix="aml-bench-"))
    saved = dict(os.environ)
    os.environ.update(environment or {})
    stack = LocalStack(home)
    try:
        info = stack.ensure_running()
        headers = {"Authorization": f"Bearer {info.operator_key_file.read_text().strip()}"}
        with httpx.Client(base_url=info.portal, headers=headers, timeout=30.0) as client:
            yield BenchStack(info, client)
    finally:
        stack.remove()
        os.environ.clear()
        os.environ.update(saved)
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def child(*command: str) -> Iterator[tuple[str, int]]:
    """A helper process that prints `ready URL`; yields the URL and its process id."""
    process = subprocess.Popen([sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.startswith("ready "):
            raise RuntimeError(f"{command[0]} did not start: {line!r}")
        yield line.split()[1], process.pid
    finally:
        process.terminate()
        process.wait()


def dumps(value: object) -> str:
    return json.dumps(value, indent=2, sort_keys=True, default=str) + "\n"
