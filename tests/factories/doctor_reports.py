"""Reports of the contract doctor: `a_report(a_check_report("echo", "failed"))`."""

from typing import Any

from aml.contracts.doctor import CheckReport, DoctorReport


def a_check_report(name: str = "echo", outcome: str = "passed", **changes: Any) -> CheckReport:
    values: dict[str, Any] = {
        "name": name,
        "title": f"the title of {name}",
        "outcome": outcome,
        "code": "ok" if outcome == "passed" else "schema",
        "finding": f"the finding of {name}",
        "sent": f"sent by {name}",
        "received": f"received by {name}",
        "why": f"why {name}",
        "mend": "" if outcome == "passed" else f"mend {name}",
        "calls": 3,
        "latency": 1_500,
        "took": 4_000,
    }
    return CheckReport(**(values | changes))


def a_report(*checks: CheckReport) -> DoctorReport:
    return DoctorReport(
        contract="cycle-2",
        track="textual",
        run="7f3a",
        started=1_780_000_000_000,
        took=1_230_000,
        passed=not any(check.outcome == "failed" for check in checks),
        checks=checks,
    )
