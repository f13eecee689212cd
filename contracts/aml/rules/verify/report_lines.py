"""An audit report for a terminal."""

from .findings import AuditReport


def report_lines(report: AuditReport) -> list[str]:
    """For a terminal: a line a check, then a line for each thing that is wrong."""
    marks = {"passed": "ok  ", "refused": "FAIL", "skipped": "-   "}
    lines = [f"{marks[each.outcome]} {each.name:12}{each.detail}" for each in report.checks]
    lines += [f"refused [{each.code}] {each.problem}" for each in report.refusals]
    if report.refused > len(report.refusals):
        lines.append(f"and {report.refused - len(report.refusals)} more")
    if report.first_entry is not None:
        lines.append(f"first entry that is wrong: {report.first_entry}")
    jobs = f"job {report.jobs[0]}" if len(report.jobs) == 1 else f"{len(report.jobs)} jobs"
    what = f"{report.scope} bundle, {report.entries:,} of {report.size:,} entries, {jobs}, log {report.origin}"
    lines.append(f"{'verified' if report.verified else 'NOT verified'}: {what}")
    return lines
