"""`aml operate`: the whole platform as its operator sees it, over HTTP."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, get_args

import typer
from rich.console import Console

from aml.gateway.keys.bodies import KeyOrder
from aml.gateway.keys.views import Role
from aml.gateway.operations.views import Overview
from aml.gateway.review.bodies import ReviewerLinkOrder
from aml.toolkit.client.listing import as_json, print_table
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.shown_text import shown

from .boundary import ExitCode
from .job_options import JobId
from .platform_access import AsJson, KeyFile, Limit, Offset, Url, Why, call_with_key, confirmed
from .spoken_answer import tell
from .terminal import make_console

app = typer.Typer(help="A platform over HTTP: what runs, parked units, keys.", no_args_is_help=True)

KeyId = Annotated[str, typer.Argument(metavar="KEY_ID")]


@app.command("overview")
def overview(platform: Url = None, key_file: KeyFile = None, json: AsJson = False) -> None:
    """Show what runs, waits, is parked or not in order. Exit code 4: something is not in order."""
    found = call_with_key(platform, key_file, lambda api: api.overview())
    tell(found, _print_overview, json=json)
    raise typer.Exit(ExitCode.INCOMPLETE if found.problems else ExitCode.PASS)


@app.command("parked")
def parked(
    job: Annotated[str | None, typer.Option("--job", metavar="JOB", help="Of one job.")] = None,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """List units that no stage could handle."""
    found = call_with_key(platform, key_file, lambda api: api.parked(job))
    if json:
        typer.echo(as_json(found))
        return
    rows = ((each.job_id, each.unit, each.stage, each.error, each.parked_at) for each in found.parked)
    print_table(make_console(), ("job", "unit", "stage", "error", "parked"), rows, empty="nothing is parked")


@app.command("requeue")
def requeue(job_id: JobId, platform: Url = None, key_file: KeyFile = None, json: AsJson = False) -> None:
    """Drive a job's parked units again, after what stopped them is mended."""
    done = call_with_key(platform, key_file, lambda api: api.requeue(job_id))
    tell(done, f"{len(done.requeued):,} units of {done.job_id} are driven again", json=json)


@app.command("keys")
def keys(
    role: Annotated[str | None, typer.Option("--role", help="participant, reviewer or operator.")] = None,
    limit: Limit = 100,
    offset: Offset = 0,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """List all keys, oldest first: everything but their text."""
    found = call_with_key(platform, key_file, lambda api: api.keys(role, limit=limit, offset=offset))
    if json:
        typer.echo(as_json(found))
        return
    rows = (
        (each.key_id, each.role, each.label, each.prefix, each.created_at, each.expires_at, each.revoked_at)
        for each in found.keys
    )
    print_table(make_console(), ("id", "role", "label", "prefix", "made", "expires", "revoked"), rows, empty="no key")


@app.command("make-key")
def make_key(
    role: Annotated[str, typer.Argument(help="reviewer or operator; participants apply.")],
    label: Annotated[str, typer.Option("--label", help="Whose it is.")],
    days: Annotated[int | None, typer.Option("--days", min=1, max=3650, help="Until it ends by itself.")] = None,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Make a reviewer's or an operator's key. It is shown this once."""
    if role not in ("reviewer", "operator"):
        raise WrongUsage("ROLE", f"is neither reviewer nor operator ({', '.join(get_args(Role))} exist)")
    until = None if days is None else datetime.now(UTC) + timedelta(days=days)
    order = KeyOrder(role=role, label=label, expires_at=until)  # type: ignore[arg-type]  # one of the two
    made = call_with_key(platform, key_file, lambda api: api.create_key(order))
    tell(made, f"{made.key_id}: {made.key}", json=json)


@app.command("revoke-key")
def revoke_key(
    key_id: KeyId,
    reason: Why,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """End any key, for good. A participant's jobs are cancelled with it."""
    confirmed(f"revoke {key_id} for good?", yes=yes)
    ended = call_with_key(platform, key_file, lambda api: api.revoke_key(key_id, reason))
    cancelled = f"; cancelled: {', '.join(ended.cancelled_jobs)}" if ended.cancelled_jobs else ""
    tell(ended, f"{ended.key_id} is revoked{cancelled}", json=json)


@app.command("link-reviewer")
def link_reviewer(
    key_id: KeyId,
    organisation: Annotated[str | None, typer.Option("--organisation", help="Whom they belong to.")] = None,
    participant: Annotated[
        str | None, typer.Option("--participant-key", metavar="KEY_ID", help="A participant's key of the same people.")
    ] = None,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Say whom a reviewer belongs to: nobody decides on their own system. Without options the link goes."""
    order = ReviewerLinkOrder(organisation=organisation, participant_key_id=participant)
    linked = call_with_key(platform, key_file, lambda api: api.link_reviewer(key_id, order))
    tell(linked, f"{linked.key_id} belongs to {shown(linked.organisation)}", json=json)


def _print_overview(console: Console, found: Overview) -> None:
    for name, problem in found.problems.items():
        typer.echo(f"NOT IN ORDER {name}: {shown(problem)}")
    counts = ", ".join(f"{each.count:,} {each.state}" for each in found.jobs) or "none"
    typer.echo(f"jobs: {counts}; parked units: {found.parked:,}")
    typer.echo(
        f"open: {found.open_access_requests:,} applications, {found.open_reviews:,} reviews,"
        f" {found.open_proposals:,} proposals, {found.overdue_attestations:,} deletions overdue"
    )
    behind = "?" if found.projection_waiting is None else f"{found.projection_waiting:,}"
    typer.echo(f"to be published: {found.outbox_waiting:,} events; to be read: {behind}")
    rows = ((each.job_id, each.system, each.mode, each.state, each.ended, each.questions, each.parked, each.last_at)
            for each in found.open_jobs)  # fmt: skip
    headings = ("job", "system", "mode", "state", "done", "questions", "parked", "last event")
    print_table(console, headings, rows, empty="no job is open")
    if found.lanes:
        lanes = ((each.name, each.waiting, each.in_work, each.given_again, each.slots) for each in found.lanes)
        print_table(console, ("lane", "waiting", "in work", "again", "slots"), lanes, empty="")
