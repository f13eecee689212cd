"""Results as JSON, and as a Markdown page for people."""

import platform
import sys
from pathlib import Path
from typing import Any

from .stack import dumps


def write_report(results: dict[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(dumps(results))
    (folder / "results.md").write_text("\n".join(_lines(results)) + "\n")


def machine() -> dict[str, Any]:
    import psutil  # noqa: PLC0415  the bench's own dependency

    return {
        "python": sys.version.split()[0],
        "machine": platform.machine(),
        "system": platform.system(),
        "cores": psutil.cpu_count(),
    }


def _lines(results: dict[str, Any]) -> list[str]:
    where = results["machine"]
    lines = ["# Benchmark results", "", f"{where['cores']} cores, {where['machine']}, Python {where['python']}.", ""]
    for name in ("locomo", "locomo_model"):
        if name in results:
            lines += _whole(name, results[name])
    if "flat_cost" in results:
        lines += ["## Cost a question as a run grows", "", "| questions | platform CPU ms | wall ms |", "|---|---|---|"]
        lines += [
            f"| {point['questions']:,} | {point['platform_cpu_ms_per_question']:.2f} | {point['wall_ms_per_question']:.2f} |"
            for point in results["flat_cost"]["curve"]
        ]
        lines += [""]
    if "local_start" in results:
        found = results["local_start"]
        lines += [
            "## A local stack",
            "",
            (
                f"Ready after {found['warm_s']:.1f} s with its data there ({found['warm_cpu_s']:.1f} s of CPU), "
                f"{found['first_s']:.1f} s the first time; stopped in {found['stop_s']:.1f} s; "
                f"{found['pss_mb']:.0f} MB with shared pages counted once."
            ),
            "",
        ]
    if "ledger_append" in results:
        found = results["ledger_append"]
        lines += [
            "## Ledger append",
            "",
            (
                f"{found['events_per_s']:,.0f} events/s, {found['cpu_us_per_event']:.0f} µs CPU an event "
                f"({found['events']:,} events: decoded, hashed, chained, appended, signed, published as tiles). "
                f"An inclusion proof from the tiles: {found['proof_p50_ms']:.2f} ms, p99 {found['proof_p99_ms']:.2f} ms."
            ),
            "",
        ]
    if "ledger_curve" in results:
        lines += [
            "## Cost an event as the log grows",
            "",
            "| entries | CPU µs | wall µs | proof ms |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| {at['entries']:,} | {at['cpu_us_per_event']:.1f} | {at['us_per_event']:.1f} | {at['proof_p50_ms']:.2f} |"
            for at in results["ledger_curve"]["curve"]
        ]
        lines += [""]
    if "participant_client" in results:
        lines += _client(results["participant_client"])
    if "strict_json" in results:
        lines += _strict_json(results["strict_json"])
    if "gateway_http" in results:
        lines += _gateway(results["gateway_http"])
    for name in ("audit", "audit_export", "board_render", "board_browser"):
        if name in results:
            lines += [f"## {name}", "", "| | |", "|---|---|"]
            lines += [f"| {key} | {_shown(value)} |" for key, value in sorted(results[name].items())]
            lines += [""]
    return lines


def _shown(value: Any) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


def _client(found: dict[str, Any]) -> list[str]:
    rows = [
        f"| {name} | {call.capitalize()} | {found[f'{name}_{call}_cpu_ms']:.3f} | {found[f'{name}_{call}_per_s']:,.0f} |"
        for name in ("client", "aiohttp", "httpx")
        for call in ("add", "search")
    ]
    return [
        f"## Calls to a participant that answers at once: {found['in_flight']} in flight from one process",
        "",
        f"Add of {found['messages']} messages, Search with {found['items']} items. `client` checks all of it.",
        "",
        "| | call | CPU ms | calls/s |",
        "|---|---|---|---|",
        *rows,
        "",
    ]


def _strict_json(found: dict[str, Any]) -> list[str]:
    names = [name.removesuffix("_bytes") for name in found if name.endswith("_bytes")]
    columns = ("read", "checked", "json_loads", "json_loads_with_pairs")
    return [
        "## Strict JSON: MB/s on a Search response of 100 items",
        "",
        "| body | read, duplicate keys refused | and checked against the contract | `json.loads` | with a pairs hook |",
        "|---|---|---|---|---|",
        *(_rates(name, [found[f"{name}_{column}_mb_per_s"] for column in columns]) for name in names),
        "",
    ]


def _gateway(found: dict[str, Any]) -> list[str]:
    rows = [
        f"| {name} | {each['in_flight']} | {each['per_s']:,.0f} | {each['p50_ms']:.1f} | {each['p99_ms']:.1f} "
        f"| {each['cpu_ms']:.2f} |"
        for name, each in (
            *(("`GET /jobs/{job_id}`", each) for each in found["reads"]),
            *(("`POST /jobs`", each) for each in found["creations"]),
        )
    ]
    streams = found["streams"]
    return [
        "## One gateway process",
        "",
        "| | in flight | a second | p50 ms | p99 ms | CPU ms |",
        "|---|---|---|---|---|---|",
        *rows,
        "",
        (
            f"{streams['streams']:,} open progress streams, each on a job of its own: {streams['rss_mb']:.0f} MB resident "
            f"({streams['rss_idle_mb']:.0f} MB before them), {streams['cpu_percent']:.1f} % of a core, "
            f"a change is told after {streams['change_told_ms']:.0f} ms."
        ),
        "",
    ]


def _whole(name: str, found: dict[str, Any]) -> list[str]:
    ours, bare = found["platform"], found["bare_loop"]
    rss = ", ".join(f"{process} {megabytes:.0f}" for process, megabytes in sorted(found["rss_mb"].items()))
    return [
        f"## {name}: {ours['questions']:,.0f} questions, release {found['release']}, medians of {found['repeats']}",
        "",
        "| | platform | bare loop, nothing kept |",
        "|---|---|---|",
        f"| wall, s | {ours['wall_s']:.1f} | {bare['wall_s']:.1f} |",
        f"| questions/s | {ours['questions_per_s']:.0f} | {bare['questions_per_s']:.0f} |",
        (
            f"| CPU a question, ms | {ours['platform_cpu_ms_per_question']:.2f} (six services) | "
            f"{bare['cpu_ms_per_question']:.2f} |"
        ),
        f"| CPU an Add or Search, ms | {ours['carrying_cpu_ms_per_call']:.2f} (ingest and retrieval) | |",
        f"| participant's CPU, s | {ours['participant_cpu_s']:.1f} | |",
        "",
        f"Wall ratio {found['wall_ratio']:.2f}. Resident MB: {rss}.",
        "",
    ]


def _rates(name: str, rates: list[float]) -> str:
    return f"| {name} | {' | '.join(f'{rate:.0f}' for rate in rates)} |"
