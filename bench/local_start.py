"""How long a local stack takes until every process is ready, and to stop: the first time, and with its data there."""

import shutil
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import psutil

from aml.toolkit.local.stack import LocalStack
from aml.toolkit.local.state import read_live_state

WARM_STARTS = 5
SETTLE_SECONDS = 2.0


def measure() -> dict[str, Any]:
    """Wall time of one start and stop; CPU of everything that it started, until ready; memory with shared pages once."""
    home = Path(tempfile.mkdtemp(prefix="aml-bench-"))
    stack = LocalStack(home)
    try:
        first, *warm = [_start_and_stop(stack) for _ in range(1 + WARM_STARTS)]
    finally:
        stack.remove()
        shutil.rmtree(home, ignore_errors=True)
    return {
        "first_s": first["ready_s"],
        "warm_s": median(each["ready_s"] for each in warm),
        "warm_all_s": [each["ready_s"] for each in warm],
        "warm_cpu_s": median(each["cpu_s"] for each in warm),
        "stop_s": median(each["stop_s"] for each in warm),
        "pss_mb": median(each["pss_mb"] for each in warm),
    }


def _start_and_stop(stack: LocalStack) -> dict[str, float]:
    began = time.monotonic()
    stack.ensure_running()
    ready = time.monotonic()
    state = read_live_state(stack.layout)
    assert state is not None
    supervisor = psutil.Process(state.supervisor.pid)
    family = [supervisor, *supervisor.children(recursive=True)]
    cpu = sum(_cpu_seconds(process) for process in family)
    time.sleep(SETTLE_SECONDS)
    pss = sum(process.memory_full_info().pss for process in family if process.is_running())
    stopping = time.monotonic()
    stack.stop()
    stopped = time.monotonic()
    return {"ready_s": ready - began, "cpu_s": cpu, "stop_s": stopped - stopping, "pss_mb": pss / 2**20}


def _cpu_seconds(process: psutil.Process) -> float:
    """With its children that have ended."""
    times = process.cpu_times()
    return float(times.user + times.system + times.children_user + times.children_system)
