"""`aml review`: the queue of runs that passed the gate, one's file, notes and decisions."""

from typing import Annotated, get_args

import typer
from rich.console import Console

from aml.contracts.seals import Decision
from aml.gateway.review.views import ReviewFile
from aml.toolkit.client.review_view import print_reviews, review_lines
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.plain_line import print_line

from .job_options import JobId
from .platform_access import AsJson, KeyFile, Limit, Offset, Url, Why, call_with_key, confirmed
from .spoken_answer import tell

app = typer.Typer(help="Runs that wait for a reviewer: list, show, decide, note.", no_args_is_help=True)


@app.command("list")
def list_reviews(
    state: Annotated[
        str | None, typer.Option("--state", help="open, all, or decided like this; open without it.")
    ] = None,
    origin: Annotated[
        str | None, typer.Option("--origin", help="participants, or organiser: baselines and operators' own runs.")
    ] = None,
    limit: Limit = 100,
    offset: Offset = 0,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """List the runs that passed the gate, oldest first."""
    found = call_with_key(platform, key_file, lambda api: api.reviews(state, origin, limit=limit, offset=offset))
    tell(found, print_reviews, json=json)


@app.command("show")
def show(job_id: JobId, platform: Url = None, key_file: KeyFile = None, json: AsJson = False) -> None:
    """Show everything that a decision needs: checks, fair play, disclosure, duplicates, notes."""
    file = call_with_key(platform, key_file, lambda api: api.review_file(job_id))
    tell(file, _print_file, json=json)


@app.command("note")
def note(
    job_id: JobId,
    text: Annotated[str, typer.Option("--text", help="For the other reviewers; it enters no log.")],
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Write a note for the other reviewers."""
    written = call_with_key(platform, key_file, lambda api: api.write_note(job_id, text))
    tell(written, f"note {written.number} is written", json=json)


@app.command("decide")
def decide(
    job_id: JobId,
    decision: Annotated[str, typer.Argument(help="approve, ask_for_more, decline, withdraw or disqualify.")],
    reason: Why,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Decide on a run's publication. The decision and its reason enter the log."""
    if decision not in get_args(Decision):
        raise WrongUsage("DECISION", f"is none of {', '.join(get_args(Decision))}")
    confirmed(f"{decision.replace('_', ' ')} {job_id}? It enters the log", yes=yes)
    made = call_with_key(platform, key_file, lambda api: api.review(job_id, decision, reason))  # type: ignore[arg-type]  # one of them
    tell(made, f"decision {made.number} on {made.job_id}: {made.decision}", json=json)


def _print_file(console: Console, file: ReviewFile) -> None:
    for line in review_lines(file):
        print_line(console, line)
