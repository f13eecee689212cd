"""A whole dataset through the platform, and the same calls through the bare loop, in one run."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from aml.ingest.benchmarks import sha256_of

from .processes import SERVICES, read_usage
from .stack import BenchStack, bench_stack, child

MIB = 1024 * 1024


def measure(bundle: Path, adapter: str, *, repeats: int, with_model: bool) -> dict[str, Any]:
    """Medians of `repeats` runs of the platform and of the bare loop, taken in turn."""
    with tempfile.TemporaryDirectory() as folder, child("bench.model_stub") as (model, _):
        environment: dict[str, str] = {}
        if with_model:
            keys = Path(folder) / "keys"
            keys.write_text("stub\n")
            environment = {"AML_OPENAI_BASE_URL": f"{model}/v1", "AML_OPENAI_API_KEYS_FILE": str(keys)}
        with bench_stack(environment) as stack:
            sha256 = sha256_of(bundle)
            stack.add_dataset(bundle, sha256)
            dataset = {"name": adapter, "adapter": adapter, "version": "1", "sha256": sha256}
            rounds = [
                (
                    through_platform(stack, dataset, "openai" if with_model else "practice"),
                    _through_bare_loop(bundle, adapter, model if with_model else None),
                )
                for _ in range(repeats)
            ]
    platform = {key: median(one[key] for one, _ in rounds) for key in rounds[0][0] if key != "rss_mb"}
    bare = {key: median(one[key] for _, one in rounds) for key in rounds[0][1]}
    return {
        "release": "openai (model stub)" if with_model else "practice",
        "repeats": repeats,
        "platform": platform,
        "bare_loop": bare,
        "wall_ratio": platform["wall_s"] / bare["wall_s"],
        "rss_mb": {name: max(one["rss_mb"][name] for one, _ in rounds) for name in rounds[0][0]["rss_mb"]},
        "runs": [one for one, _ in rounds],
    }


def through_platform(stack: BenchStack, dataset: dict[str, Any], release: str) -> dict[str, Any]:
    with child("aml.examples.fts5") as (participant, participant_pid):
        before, theirs = stack.usage(), read_usage({"participant": participant_pid})
        started = time.perf_counter()
        snapshot = stack.wait(stack.start(participant=participant, dataset=dataset, release=release))
        wall = time.perf_counter() - started
        time.sleep(0.5)  # what the ledger and the projections do after the seal belongs to the run's cost
        spent = stack.usage().since(before)
        participant_cpu = read_usage({"participant": participant_pid}).since(theirs).cpu["participant"]
    questions = snapshot["counts"]["planned"]
    if snapshot["counts"]["scored"] != questions:
        raise RuntimeError(f"not every question was scored: {snapshot}")
    calls = sum(stage["done"] for stage in snapshot["stages"] if stage["stage"] in ("ingest", "retrieval"))
    carrying = spent.cpu["ingest"] + spent.cpu["retrieval"]
    return {
        "wall_s": wall,
        "questions": questions,
        "calls": calls,
        "questions_per_s": questions / wall,
        "platform_cpu_ms_per_question": 1000 * spent.platform_cpu() / questions,
        "carrying_cpu_ms_per_call": 1000 * carrying / calls,
        **{f"{name}_cpu_s": spent.cpu[name] for name in (*SERVICES, "nats", "postgres") if name in spent.cpu},
        "participant_cpu_s": participant_cpu,
        "rss_mb": {name: round(value / MIB, 1) for name, value in spent.rss.items()},
    }


def _through_bare_loop(bundle: Path, adapter: str, model: str | None) -> dict[str, Any]:
    with child("aml.examples.fts5") as (participant, _):
        command = [sys.executable, "-m", "bench.bare_loop", adapter, str(bundle), participant]
        done = subprocess.run([*command, *([model] if model else [])], check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return {
        **result,
        "questions_per_s": result["questions"] / result["wall_s"],
        "cpu_ms_per_question": 1000 * result["cpu_s"] / result["questions"],
    }
