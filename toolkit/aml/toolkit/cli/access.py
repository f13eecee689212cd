"""`aml access`: applications, for reviewers."""

from typing import Annotated

import typer

from aml.gateway.access.views import AccessDecided
from aml.toolkit.client.access_view import check_lines, print_requests

from .boundary import ExitCode
from .platform_access import AsJson, KeyFile, Limit, Offset, Url, Why, call_with_key
from .spoken_answer import tell

app = typer.Typer(help="Applications for access: list, check, approve, decline.", no_args_is_help=True)

RequestId = Annotated[str, typer.Argument(metavar="REQUEST")]


@app.command("list")
def list_requests(
    state: Annotated[str | None, typer.Option("--state", help="submitted, approved or declined.")] = "submitted",
    every: Annotated[bool, typer.Option("--all", help="In every state.")] = False,
    limit: Limit = 100,
    offset: Offset = 0,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """List applications, oldest first. --json shows them whole."""
    wanted = None if every else state
    found = call_with_key(platform, key_file, lambda api: api.access_requests(wanted, limit=limit, offset=offset))
    tell(found, print_requests, json=json)


@app.command("check")
def check(access_id: RequestId, platform: Url = None, key_file: KeyFile = None, json: AsJson = False) -> None:
    """Have the endpoints of an application checked again. Exit code 3: one did not answer as it should."""
    found = call_with_key(platform, key_file, lambda api: api.check_endpoints(access_id))
    tell(found, "\n".join(check_lines(found)), json=json)
    raise typer.Exit(ExitCode.PASS if found.passed else ExitCode.BELOW_THRESHOLD)


@app.command("approve")
def approve(
    access_id: RequestId,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT")] = "",
    override: Annotated[
        str,
        typer.Option("--override-reason", metavar="TEXT", help="Needed where the last endpoint check did not pass."),
    ] = "",
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Approve: the applicant can claim a key, or the version is bound to the one they have."""
    made = call_with_key(platform, key_file, lambda api: api.approve(access_id, reason, override_reason=override))
    _print_decided(made, json=json)


@app.command("decline")
def decline(
    access_id: RequestId, reason: Why, platform: Url = None, key_file: KeyFile = None, json: AsJson = False
) -> None:
    """Decline, with a reason that the applicant reads."""
    _print_decided(call_with_key(platform, key_file, lambda api: api.decline(access_id, reason)), json=json)


def _print_decided(made: AccessDecided, *, json: bool) -> None:
    bound = f": version {made.version_id} of key {made.key_id}" if made.version_id else ""
    tell(made, f"request {made.access_id} is {made.state}{bound}", json=json)
