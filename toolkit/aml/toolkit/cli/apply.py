"""`aml apply` and `aml claim`: from an application to a key."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from aml.gateway.access.bodies import AccessApplication
from aml.gateway.access.views import AccessState
from aml.gateway.keys.views import KeyShown
from aml.toolkit.client.access_view import check_lines, state_lines
from aml.toolkit.client.listing import as_json
from aml.toolkit.client.saved_secrets import can_save, require_free, save_secret
from aml.toolkit.client.templates import APPLICATION
from aml.toolkit.client.written_file import as_body, written
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.platform import Platform

from .boundary import ExitCode
from .memory_key import MemoryKeyFile, memory_system_key
from .platform_access import AsJson, KeyFile, Url, address, call, caller, secrets_folder, token
from .spoken_answer import tell

POLL_SECONDS = 5.0

Save = Annotated[bool, typer.Option("--save", help="Keep what is shown once in a file that only you can read.")]
Wait = Annotated[bool, typer.Option("--wait", help="Until a reviewer has decided; then claim the key.")]


def apply(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="TOML or JSON; --template prints one.")] = None,
    given: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="Over the file; TABLE.FIELD=VALUE too. Repeatable."),
    ] = None,
    template: Annotated[bool, typer.Option("--template", help="Print an application to fill in.")] = False,
    memory_key_file: MemoryKeyFile = None,
    bind: Annotated[bool, typer.Option("--bind", help="Bind the version to the key that you have.")] = False,
    save: Save = False,
    wait: Wait = False,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Apply for access with a version of your system.

    Exit codes: 0 received and its endpoints answer, 2 bad usage or refused, 3 received, but a check of its endpoints failed.
    """
    if template:
        typer.echo(APPLICATION, nl=False)
        return
    fields = written(file, given or ())
    if "memory_system_key" in fields:
        raise WrongUsage("memory_system_key", "has no place in a file or an argument; use --memory-key-file")
    if (secret := memory_system_key(memory_key_file)) is not None:
        fields["memory_system_key"] = secret
    application = as_body(fields, AccessApplication, str(file or "--set"))
    key = caller(platform, key_file).key if bind else None
    _prepare(platform, save=save, for_key=wait and not bind)
    created = call(platform, key, lambda api: api.request_access(application))
    kept = secrets_folder().token_file(address(platform), created.access_id)
    if save:
        save_secret(kept, created.claim_token)
    if json:
        typer.echo(as_json(created))
    else:
        typer.echo(f"request {created.access_id}: {created.state}")
        for line in check_lines(created.endpoint_check):
            typer.echo(line)
        typer.echo(f"claim token: {f'kept in {kept}' if save else created.claim_token}")
        typer.echo(f"how it stands, and your key after approval: aml claim {created.access_id}")
    if wait:
        _claim(platform, created.access_id, created.claim_token, wait=True, save=save, json=json)
    elif created.endpoint_check is not None and not created.endpoint_check.passed:
        raise typer.Exit(ExitCode.BELOW_THRESHOLD)


def claim(
    access_id: Annotated[str, typer.Argument(metavar="REQUEST", help="The id that `aml apply` printed.")],
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", metavar="FILE", help="The claim token; or AML_CLAIM_TOKEN, or the saved one."),
    ] = None,
    check_again: Annotated[bool, typer.Option("--check-again", help="Have the endpoints checked once more.")] = False,
    memory_key_file: MemoryKeyFile = None,
    save: Save = False,
    wait: Wait = False,
    platform: Url = None,
    json: AsJson = False,
) -> None:
    """Show how a request stands, and take its key once it is approved.

    Exit codes: 0 approved, or all endpoints answer (--check-again), 3 declined or a check failed, 4 not decided yet.
    """
    claim_token = token(platform, access_id, token_file, "AML_CLAIM_TOKEN")
    if check_again:
        secret = memory_system_key(memory_key_file)
        check = call(platform, claim_token, lambda api: api.check_endpoints(access_id, secret))
        tell(check, "\n".join(check_lines(check)), json=json)
        raise typer.Exit(ExitCode.PASS if check.passed else ExitCode.BELOW_THRESHOLD)
    _prepare(platform, save=save, for_key=True)
    _claim(platform, access_id, claim_token, wait=wait, save=save, json=json)


def _prepare(platform: str | None, *, save: bool, for_key: bool) -> None:
    """What is shown once must not be lost to a folder that cannot be written."""
    if save:
        place = secrets_folder().key_file(address(platform))
        can_save(place, "--save")
        if for_key:
            require_free(place, "--save")


def _claim(platform: str | None, access_id: str, claim_token: str, *, wait: bool, save: bool, json: bool) -> None:
    state = call(platform, claim_token, lambda api: _decided(api, access_id, wait=wait))
    shown = None
    if state.state == "approved" and state.key_claimable:
        shown = call(platform, claim_token, lambda api: api.claim(access_id))
        if save:
            save_secret(secrets_folder().key_file(address(platform)), shown.key)
    if json:
        typer.echo(as_json({"request": state, "key": shown}))
    else:
        _print_claimed(state, shown, kept=secrets_folder().key_file(address(platform)) if save else None)
    if state.state != "approved":
        raise typer.Exit(ExitCode.INCOMPLETE if state.state == "submitted" else ExitCode.BELOW_THRESHOLD)


async def _decided(api: Platform, access_id: str, *, wait: bool) -> AccessState:
    while True:
        state = await api.access_state(access_id)
        if state.state != "submitted" or not wait:
            return state
        await asyncio.sleep(POLL_SECONDS)


def _print_claimed(state: AccessState, shown: KeyShown | None, *, kept: Path | None) -> None:
    for line in state_lines(state):
        typer.echo(line)
    if state.state == "submitted":
        for line in check_lines(state.endpoint_check):
            typer.echo(line)
    elif shown is not None:
        typer.echo(f"your key is kept in {kept}" if kept else f"your key, shown this once: {shown.key}")
        typer.echo("next: aml smoke")
