"""`aml check`: what the platform's smoke would say about a memory system, said at home. Needs no stack and no account."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from aml.contracts.doctor import DoctorReport
from aml.contracts.vocabulary import Track
from aml.toolkit.check.check_plan import notes_of, plan_check
from aml.toolkit.check.junit import junit_xml
from aml.toolkit.check.perform import perform_check
from aml.toolkit.check.report_table import print_report
from aml.toolkit.plain_line import print_line

from .boundary import CommandFailed, ExitCode
from .interruption import interrupted_by_sigterm
from .output_file import check_output, write_json, write_whole
from .terminal import make_console


class CheckOutcome(Struct, frozen=True, kw_only=True):
    """`--json`."""

    base_url: str
    auth: str
    allow_private: bool
    report: DoctorReport


def check(
    base_url: Annotated[str, typer.Argument(metavar="BASE_URL", help="Where /add, /search and /health are.")],
    auth: Annotated[
        str | None,
        typer.Option(
            "--auth", metavar="SCHEME:ENV_NAME", help="bearer:, token: or x-api-key: and a variable; or none."
        ),
    ] = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Allow a loopback or private address, for a local server.")
    ] = False,
    track: Annotated[Track, typer.Option("--track", help="The track that the system enters.")] = "textual",
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=1000, help="The largest top_k of the checks.")] = 100,
    add_concurrency: Annotated[int, typer.Option("--add-concurrency", min=1, max=1024, help="As declared.")] = 8,
    search_concurrency: Annotated[int, typer.Option("--search-concurrency", min=1, max=1024)] = 32,
    add_url: Annotated[str | None, typer.Option("--add-url", metavar="URL", help="Instead of BASE_URL/add.")] = None,
    search_url: Annotated[str | None, typer.Option("--search-url", metavar="URL")] = None,
    health_url: Annotated[str | None, typer.Option("--health-url", metavar="URL")] = None,
    add_status_url: Annotated[
        str | None, typer.Option("--add-status-url", metavar="URL", help="With {task_id}, where Add answers 202.")
    ] = None,
    timeout: Annotated[float, typer.Option("--timeout", min=0.1, max=1800, help="Seconds for one call.")] = 30.0,
    restart_command: Annotated[
        str | None,
        typer.Option("--restart-command", metavar="COMMAND", help="Restarts the system; run without a shell."),
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the whole report there.")] = None,
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write it as JUnit XML.")] = None,
) -> None:
    """Check a memory system against the Add / Search contract.

    It writes small facts under user ids of its own (eval:doctor-…) and searches them.

    Exit codes: 0 pass (warnings included), 1 the tool failed, 2 bad usage, 3 a check failed.
    """
    check_output("--json", json)
    check_output("--junit", junit)
    plan = plan_check(
        base_url,
        addresses=(add_url, search_url, health_url),
        add_status_url=add_status_url,
        auth=auth,
        environ=os.environ,  # noqa: TID251 - the key's only way in; no setting may hold it
        track=track,
        top_k=top_k,
        concurrency=(add_concurrency, search_concurrency),
        timeout_seconds=timeout,
        allow_private=allow_private,
        restart_command=restart_command,
    )
    console = make_console()
    with interrupted_by_sigterm(), console.status("checking …") as status:
        report = asyncio.run(perform_check(plan, lambda done: status.update(f"checking … {done.name} {done.outcome}")))
    print_report(console, report)
    for note in notes_of(plan):
        print_line(console, note)
    outcome = CheckOutcome(base_url=base_url, auth=plan.target.auth, allow_private=allow_private, report=report)
    write_json(json, outcome)
    if junit is not None:
        write_whole(junit, junit_xml(report, base_url))
    if not report.passed:
        raise typer.Exit(ExitCode.BELOW_THRESHOLD)
    if broken := next((each for each in report.checks if each.code == "restart_failed"), None):
        raise CommandFailed(broken.finding)
