"""`aml attest-deletion` and `aml deletions`: that a job's evaluation data is gone on the participant's side."""

from typing import Annotated

import typer

from aml.toolkit.client.listing import moment
from aml.toolkit.client.review_view import print_attestations

from .job_options import JobId
from .platform_access import AsJson, KeyFile, Limit, Offset, Url, call_with_key
from .spoken_answer import tell


def attest_deletion(
    job_id: JobId,
    statement: Annotated[
        str, typer.Option("--statement", metavar="TEXT", help="What was deleted, where and when. It stands.")
    ],
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Attest that you deleted a job's evaluation data; due within 30 days of its end."""
    made = call_with_key(platform, key_file, lambda api: api.attest_deletion(job_id, statement))
    late = f", after it was due on {moment(made.due_at)}" if made.late else ""
    tell(made, f"attested for {made.job_id}{late}", json=json)


def deletions(
    state: Annotated[str | None, typer.Option("--state", help="open, overdue or attested.")] = None,
    limit: Limit = 100,
    offset: Offset = 0,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """List which deletions are attested, owed or overdue: yours, or everybody's for reviewers and operators."""
    found = call_with_key(platform, key_file, lambda api: api.attestations(state, limit=limit, offset=offset))
    tell(found, print_attestations, json=json)
