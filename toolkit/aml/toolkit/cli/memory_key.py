"""The Memory System Key: from a file or a variable to the platform, and nowhere else."""

from pathlib import Path
from typing import Annotated, get_args

import typer

from aml.contracts.participant import AuthScheme
from aml.gateway.access.bodies import MemoryKeyOrder
from aml.toolkit.client.saved_secrets import read_secret
from aml.toolkit.evaluation.errors import WrongUsage

from .platform_access import AsJson, KeyFile, Url, call_with_key, variable
from .spoken_answer import tell

app = typer.Typer(help="The key that the platform sends to your system.", no_args_is_help=True)

VARIABLE = "AML_MEMORY_SYSTEM_KEY"
MemoryKeyFile = Annotated[
    Path | None,
    typer.Option("--memory-key-file", metavar="FILE", help=f"Your Memory System Key; without it {VARIABLE}."),
]


def memory_system_key(file: Path | None) -> str | None:
    """None where none was given. Raises `WrongUsage`."""
    return read_secret(file, "--memory-key-file") if file is not None else variable(VARIABLE)


@app.command("replace")
def replace(
    version_id: Annotated[str, typer.Argument(metavar="VERSION", help="Its id, as `aml versions` lists it.")],
    auth: Annotated[str, typer.Option("--auth", help="bearer, token, x-api-key or none: how the key is sent.")],
    memory_key_file: MemoryKeyFile = None,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Replace the key of a version. Jobs that start from now on use it; the former is destroyed with the last that did not."""
    if auth not in get_args(AuthScheme):
        raise WrongUsage("--auth", f"is none of {', '.join(get_args(AuthScheme))}")
    secret = memory_system_key(memory_key_file)
    if (secret is None) != (auth == "none"):
        problem = "is missing" if secret is None else "does not go with --auth none"
        raise WrongUsage("--memory-key-file", problem)
    order = MemoryKeyOrder(auth=auth, memory_system_key=secret)  # type: ignore[arg-type]  # one of them, as asked above
    version = call_with_key(platform, key_file, lambda api: api.replace_memory_key(version_id, order))
    tell(version, f"the key of {version.version_id} is replaced; it is shown to nobody", json=json)
