"""`python -m bench [NAME …]`: runs the measurements and writes `bench/results/`."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import (
    audit,
    board_render,
    flat_cost,
    gateway_http,
    ledger_append,
    local_start,
    participant_client,
    strict_json,
    whole_dataset,
)
from .report import machine, write_report

LOCOMO = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "locomo" / "locomo10.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="locomo, locomo_model, or another measurement; all by default")
    parser.add_argument("--locomo", type=Path, default=LOCOMO, help="locomo10.json, which you bring yourself")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("results"))
    options = parser.parse_args()
    measurements: dict[str, Callable[[], dict[str, Any]]] = {
        "ledger_append": ledger_append.measure,
        "ledger_curve": ledger_append.measure_curve,
        "flat_cost": flat_cost.measure,
        "local_start": local_start.measure,
        "participant_client": participant_client.measure,
        "strict_json": strict_json.measure,
        "gateway_http": gateway_http.measure,
        "audit": audit.measure,
        "audit_export": audit.measure_export,
        "board_render": board_render.measure,
        "board_browser": board_render.measure_browser,
    }
    if options.locomo.is_file():
        measurements["locomo"] = lambda: whole_dataset.measure(
            options.locomo, "locomo", repeats=options.repeats, with_model=False
        )
        measurements["locomo_model"] = lambda: whole_dataset.measure(
            options.locomo, "locomo", repeats=options.repeats, with_model=True
        )
    else:
        print(f"no LoCoMo at {options.locomo}: its measurements are left out (--locomo PATH)")
    unknown = set(options.names) - measurements.keys()
    if unknown:
        parser.error(f"unknown measurement {', '.join(sorted(unknown))}; known: {', '.join(sorted(measurements))}")
    results: dict[str, Any] = {"machine": machine()}
    for name in options.names or sorted(measurements):
        print(f"measuring {name} …", flush=True)
        results[name] = measurements[name]()
        write_report(results, options.out)
    print((options.out / "results.md").read_text())


if __name__ == "__main__":
    main()
