"""`aml propose-benchmark` for donors and `aml proposals` for them and for reviewers."""

from pathlib import Path
from typing import Annotated, get_args

import typer
from rich.console import Console

from aml.contracts.proposals import ProposalDecision
from aml.gateway.donations.bodies import BenchmarkOrder
from aml.gateway.donations.views import Proposal
from aml.toolkit.client.listing import as_json
from aml.toolkit.client.review_view import print_proposals, proposal_lines
from aml.toolkit.client.saved_secrets import can_save, save_secret
from aml.toolkit.client.templates import PROPOSAL
from aml.toolkit.client.written_file import as_body, written
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.plain_line import print_line

from .output_file import check_output, write_whole
from .platform_access import (
    AsJson,
    KeyFile,
    Limit,
    Offset,
    Url,
    Why,
    address,
    call,
    call_with_key,
    caller,
    confirmed,
    secrets_folder,
    token,
)
from .spoken_answer import tell

app = typer.Typer(help="Benchmarks that were offered: list, show, download, decide.", no_args_is_help=True)

ProposalId = Annotated[str, typer.Argument(metavar="PROPOSAL")]
TokenFile = Annotated[
    Path | None,
    typer.Option("--token-file", metavar="FILE", help="The proposal's token; or AML_PROPOSAL_TOKEN, or the saved one."),
]


def propose_benchmark(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="TOML or JSON; --template prints one.")] = None,
    given: Annotated[
        list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help="Over the file. Repeatable.")
    ] = None,
    package: Annotated[
        Path | None, typer.Option("--package", metavar="FILE", help="The data: .jsonl, .json, .csv or a .zip of them.")
    ] = None,
    proposal: Annotated[
        str | None, typer.Option("--proposal", metavar="ID", help="Send the package of a proposal that stands already.")
    ] = None,
    token_file: TokenFile = None,
    template: Annotated[bool, typer.Option("--template", help="Print a proposal to fill in.")] = False,
    link: Annotated[bool, typer.Option("--link", help="Link it to your participant's key.")] = False,
    save: Annotated[bool, typer.Option("--save", help="Keep its token in a file that only you can read.")] = False,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Offer a benchmark. No key is needed; the proposal's own token sends and replaces its package."""
    if template:
        typer.echo(PROPOSAL, nl=False)
        return
    if package is not None and not package.is_file():
        raise WrongUsage("--package", f"{package} is no file")
    if proposal is not None:
        if package is None or file is not None or given:
            raise WrongUsage("--proposal", "goes with --package alone; a proposal's words do not change")
        _send(platform, proposal, token(platform, proposal, token_file, "AML_PROPOSAL_TOKEN"), package, json=json)
        return
    fields = written(file, given or ())
    order = as_body(fields, BenchmarkOrder, str(file or "--set"))
    if save:
        can_save(secrets_folder().key_file(address(platform)), "--save")
    key = caller(platform, key_file).key if link else None
    created = call(platform, key, lambda api: api.propose_benchmark(order))
    kept = secrets_folder().token_file(address(platform), created.proposal_id)
    if save:
        save_secret(kept, created.proposal_token)
    if json and package is None:
        typer.echo(as_json(created))
    else:
        typer.echo(f"proposal {created.proposal_id}: {created.state}", err=json)
        typer.echo(f"token: {f'kept in {kept}' if save else created.proposal_token}", err=json)
    if package is not None:
        _send(platform, created.proposal_id, created.proposal_token, package, json=json)


@app.command("list")
def list_proposals(
    state: Annotated[str | None, typer.Option("--state", help="submitted, more_asked, accepted or declined.")] = None,
    limit: Limit = 100,
    offset: Offset = 0,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """List proposals: yours, or all for reviewers and operators."""
    found = call_with_key(platform, key_file, lambda api: api.proposals(state, limit=limit, offset=offset))
    tell(found, print_proposals, json=json)


@app.command("show")
def show(
    proposal_id: ProposalId,
    token_file: TokenFile = None,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Show a proposal, its package and the decisions; with its token, or your key."""
    secret = _proposal_secret(platform, proposal_id, token_file, key_file)
    _print(call(platform, secret, lambda api: api.proposal(proposal_id)), json=json)


@app.command("package")
def package_of(
    proposal_id: ProposalId,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where to write it.")],
    platform: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Download a proposal's package, as it was sent. For reviewers; trust nothing in it."""
    check_output("--out", out)
    content = call_with_key(platform, key_file, lambda api: api.package(proposal_id))
    write_whole(out, content)
    typer.echo(f"{out}: {len(content):,} bytes")


@app.command("decide")
def decide(
    proposal_id: ProposalId,
    decision: Annotated[str, typer.Argument(help="accept, ask_for_more or decline.")],
    reason: Why,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Decide on a proposal. The decision and its reason enter the log."""
    if decision not in get_args(ProposalDecision):
        raise WrongUsage("DECISION", f"is none of {', '.join(get_args(ProposalDecision))}")
    confirmed(f"{decision.replace('_', ' ')} {proposal_id}? It enters the log", yes=yes)
    made = call_with_key(platform, key_file, lambda api: api.judge_proposal(proposal_id, decision, reason))  # type: ignore[arg-type]  # one of them
    tell(made, f"proposal {made.proposal_id} is {made.state}", json=json)


def _proposal_secret(platform: str | None, proposal_id: str, token_file: Path | None, key_file: Path | None) -> str:
    if token_file is None and key_file is not None:
        return caller(platform, key_file).key
    try:
        return token(platform, proposal_id, token_file, "AML_PROPOSAL_TOKEN")
    except WrongUsage:
        if token_file is not None:
            raise
        return caller(platform, None).key


def _send(platform: str | None, proposal_id: str, secret: str, package: Path, *, json: bool) -> None:
    try:
        _print(call(platform, secret, lambda api: api.send_package(proposal_id, package)), json=json)
    except OSError as error:
        raise WrongUsage("--package", f"{package} cannot be read ({error.strerror})") from None


def _print(proposal: Proposal, *, json: bool) -> None:
    tell(proposal, _print_lines, json=json)


def _print_lines(console: Console, proposal: Proposal) -> None:
    for line in proposal_lines(proposal):
        print_line(console, line)
