"""Which platform a command calls, and as whom. A key comes from a file or the environment, never from an argument."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer
from msgspec import Struct

from aml.toolkit.client.saved_secrets import SavedSecrets, read_secret
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.platform import Platform
from aml.toolkit.platform.errors import host_of

T = TypeVar("T")

PATIENCE_SECONDS: Final = 5.0

Url = Annotated[
    str | None, typer.Option("--platform", envvar="AML_PLATFORM", metavar="URL", help="The platform's address.")
]
KeyFile = Annotated[
    Path | None, typer.Option("--key-file", metavar="FILE", help="Your key; without it AML_KEY, or the saved one.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=500, help="At most so many.")]
Offset = Annotated[int, typer.Option("--offset", min=0, help="Without the first so many.")]
Why = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; others read it.")]


class Caller(Struct, frozen=True, kw_only=True):
    key: str
    kept_in: Path | None
    """The file that the key came from; None for the environment."""


def variable(name: str) -> str | None:
    """The one place where client commands read the environment."""
    return os.environ.get(name) or None  # noqa: TID251 - secrets' and addresses' way into a command


def secrets_folder() -> SavedSecrets:
    given = variable("AML_CONFIG")
    usual = Path(variable("XDG_CONFIG_HOME") or Path.home() / ".config") / "aml"
    return SavedSecrets(Path(given) if given else usual)


def address(url: str | None) -> str:
    """Raises `WrongUsage`."""
    if not url:
        raise WrongUsage("--platform", "is missing; give the platform's URL, or set AML_PLATFORM")
    if not url.startswith(("http://", "https://")) or "@" in url or not host_of(url):
        raise WrongUsage("--platform", "is no http:// or https:// address without a user in it")
    return url.rstrip("/")


def caller(url: str | None, key_file: Path | None) -> Caller:
    """Raises `WrongUsage`."""
    platform = address(url)
    if key_file is not None:
        return Caller(key=read_secret(key_file, "--key-file"), kept_in=key_file)
    if (given := variable("AML_KEY")) is not None:
        if len(given.split()) != 1 or not given.isascii():
            raise WrongUsage("AML_KEY", "holds no key; a key is one word")
        return Caller(key=given.strip(), kept_in=None)
    saved = secrets_folder().key_file(platform)
    if saved.is_file():
        return Caller(key=read_secret(saved, "--key-file"), kept_in=saved)
    raise WrongUsage("--key-file", "is missing, AML_KEY is not set and no key is saved for this platform")


def token(url: str | None, name: str, file: Path | None, variable_name: str) -> str:
    """A claim token or a proposal's token. Raises `WrongUsage`."""
    if file is not None:
        return read_secret(file, "--token-file")
    if (given := variable(variable_name)) is not None:
        return given.strip()
    saved = secrets_folder().token_file(address(url), name)
    if saved.is_file():
        return read_secret(saved, "--token-file")
    raise WrongUsage("--token-file", f"is missing, {variable_name} is not set and no token is saved for {name}")


def call(url: str | None, key: str | None, use: Callable[[Platform], Awaitable[T]]) -> T:
    """Raises `PlatformError`."""
    platform_url = address(url)

    async def called() -> T:
        async with Platform(platform_url, key, patience_seconds=PATIENCE_SECONDS) as platform:
            return await use(platform)

    return asyncio.run(called())


def call_with_key(url: str | None, key_file: Path | None, use: Callable[[Platform], Awaitable[T]]) -> T:
    return call(url, caller(url, key_file).key, use)


def confirmed(question: str, *, yes: bool) -> None:
    """Before what cannot be taken back. Raises `WrongUsage` where nobody can be asked, and `typer.Abort`."""
    if yes:
        return
    if not os.isatty(0):
        raise WrongUsage("--yes", f"is missing, and there is nobody to ask: {question}")
    typer.confirm(question, abort=True)
