"""`aml versions`: the versions that are bound to one's key, changed and withdrawn until a full run froze them."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from aml.gateway.access.bodies import VersionChange
from aml.toolkit.client.access_view import print_versions
from aml.toolkit.client.written_file import as_body, read_written, with_fields
from aml.toolkit.evaluation.errors import WrongUsage

from .memory_key import MemoryKeyFile, memory_system_key
from .platform_access import AsJson, KeyFile, Url, Why, call_with_key, confirmed
from .spoken_answer import tell

app = typer.Typer(help="Your versions: list, change, withdraw.", invoke_without_command=True)

VersionId = Annotated[str, typer.Argument(metavar="VERSION")]


@app.callback()
def versions(context: typer.Context, platform: Url = None, key_file: KeyFile = None, json: AsJson = False) -> None:
    """List the versions that are bound to your key; `change` and `withdraw` until a full run was accepted."""
    if context.invoked_subcommand is not None:
        return
    found = call_with_key(platform, key_file, lambda api: api.versions())
    tell(found, print_versions, json=json)


@app.command("change")
def change(
    version_id: VersionId,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="TOML or JSON with the fields that change.")
    ] = None,
    given: Annotated[
        list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help="Over the file. Repeatable.")
    ] = None,
    memory_key_file: MemoryKeyFile = None,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Change endpoints, capacity, timeouts, texts or disclosure. A table that is given replaces the whole of the former one."""
    fields = with_fields(read_written(file) if file else {}, given or (), "--set")
    if "memory_system_key" in fields:
        raise WrongUsage("memory_system_key", "has no place in a file or an argument; use --memory-key-file")
    if not fields:
        raise WrongUsage("--set", "is missing; say what changes")
    if memory_key_file is not None:
        fields["memory_system_key"] = memory_system_key(memory_key_file)
    changed = msgspec.to_builtins(as_body(fields, VersionChange, str(file or "--set")))
    body = {name: value for name, value in changed.items() if name in fields}
    version = call_with_key(platform, key_file, lambda api: api.change_version(version_id, body))
    tell(version, f"version {version.version_id} is changed; its endpoints may need a new smoke run", json=json)


@app.command("withdraw")
def withdraw(
    version_id: VersionId,
    reason: Why,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Withdraw a version, for good. One that a full run froze stays."""
    confirmed(f"withdraw {version_id} for good?", yes=yes)
    version = call_with_key(platform, key_file, lambda api: api.withdraw_version(version_id, reason))
    tell(version, f"version {version.version_id} is withdrawn", json=json)
