"""`aml key`: one's own Leaderboard API Key."""

from typing import Annotated

import typer

from aml.toolkit.client.listing import as_json, moment
from aml.toolkit.client.saved_secrets import can_save, save_secret
from aml.toolkit.shown_text import shown

from .platform_access import AsJson, KeyFile, Url, Why, address, call, call_with_key, caller, confirmed, secrets_folder
from .spoken_answer import tell

app = typer.Typer(help="Your key: show whose it is, rotate, revoke.", no_args_is_help=True)

Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@app.command("show")
def show(platform: Url = None, key_file: KeyFile = None, json: AsJson = False) -> None:
    """Say whose key this is, and until when it lasts."""
    me = call_with_key(platform, key_file, lambda api: api.me())
    if json:
        typer.echo(as_json(me))
        return
    until = "until it is revoked" if me.expires_at is None else f"until {moment(me.expires_at)}"
    typer.echo(f"{me.key_id}: {me.role}, {shown(me.label)}, {me.prefix}…, good {until}, rotated {me.rotations} times")


@app.command("rotate")
def rotate(
    save: Annotated[bool, typer.Option("--save", help="Put the new key where the old one was kept.")] = False,
    yes: Yes = False,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Get a new text for your key. The former text is dead at once, wherever it is used."""
    mine = caller(platform, key_file)
    place = mine.kept_in or secrets_folder().key_file(address(platform))
    if save:
        can_save(place, "--save")
    confirmed("replace the key? The former text is dead at once", yes=yes)
    new = call(platform, mine.key, lambda api: api.rotate_key())
    if save:
        save_secret(place, new.key)
    if json:
        typer.echo(as_json(new))
    else:
        typer.echo(f"the new key is kept in {place}" if save else f"the new key, shown this once: {new.key}")
    if mine.kept_in is not None and not save:
        typer.echo(f"{mine.kept_in} holds the dead one; put the new one there", err=True)


@app.command("revoke")
def revoke(reason: Why, yes: Yes = False, platform: Url = None, key_file: KeyFile = None, json: AsJson = False) -> None:
    """End your key, for good. Jobs that run with it are cancelled."""
    confirmed("revoke this key for good?", yes=yes)
    ended = call_with_key(platform, key_file, lambda api: api.revoke_own_key(reason))
    cancelled = f"; cancelled: {', '.join(ended.cancelled_jobs)}" if ended.cancelled_jobs else ""
    tell(ended, f"{ended.key_id} is revoked{cancelled}", json=json)
