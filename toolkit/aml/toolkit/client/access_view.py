"""Applications, their endpoint checks and versions, as lines and tables."""

from collections.abc import Iterator

from rich.console import Console

from aml.gateway.access.views import AccessFiles, AccessState, EndpointCheck, Versions
from aml.toolkit.shown_text import shown

from .listing import moment, print_table

_MARKS = {True: "ok", False: "FAILED", None: "not tried"}


def check_lines(check: EndpointCheck | None) -> Iterator[str]:
    if check is None:
        yield "endpoints: not checked yet"
        return
    yield f"endpoints: {'all well' if check.passed else 'not all well'} at {moment(check.checked_at)}"
    for finding in check.findings:
        yield f"  {finding.name:<10} {_MARKS[finding.passed]:<10} {shown(finding.detail, 400)}"


def state_lines(state: AccessState) -> Iterator[str]:
    decided = "" if state.decided_at is None else f" at {moment(state.decided_at)}"
    yield f"request {state.access_id}: {state.state}{decided}"
    if state.reason:
        yield f"reason: {shown(state.reason, 1000)}"
    if state.version_id is not None:
        yield f"version: {state.version_id}"


def print_requests(console: Console, files: AccessFiles) -> None:
    print_table(
        console,
        ("request", "state", "organisation", "system", "version", "track", "division", "endpoints", "came"),
        (
            (
                each.access_id,
                each.state,
                each.application.organisation,
                each.application.system,
                each.application.version,
                each.application.track,
                each.application.division,
                None if each.endpoint_check is None else ("ok" if each.endpoint_check.passed else "failed"),
                each.created_at,
            )
            for each in files.requests
        ),
        empty="no request",
    )


def print_versions(console: Console, versions: Versions) -> None:
    print_table(
        console,
        ("id", "system", "version", "track", "division", "key", "smoke", "state", "active job"),
        (
            (
                each.version_id,
                each.system,
                each.version,
                each.track,
                each.division,
                each.has_memory_system_key,
                "passed" if each.smoke_passed else "—",
                "withdrawn" if each.withdrawn_at else "frozen" if each.frozen else "open",
                each.active_job_id,
            )
            for each in versions.versions
        ),
        empty="no version is bound to this key; `aml apply --bind FILE` asks for one",
    )
