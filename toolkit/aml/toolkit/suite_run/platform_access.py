"""A platform to run on: the local stack, leased for as long as the run lasts, or one that runs at an address."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from aml.runtime.pipeline_digest import pipeline_digest
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.log_reader import CheckpointShown, LogUnreadable, read_checkpoint, read_verifier
from aml.toolkit.evaluation.stack_lease import StackLease, lease_stack
from aml.toolkit.local import LocalStack
from aml.toolkit.local.home import Layout, make_home
from aml.toolkit.platform import Platform

DEFAULT_HOME: Final = Path(".aml")


class RemoteStack(Struct, frozen=True, kw_only=True):
    """A platform that somebody else runs. It must reach the agent, and read the folder where datasets are put."""

    url: str
    operator_key: str
    datasets: Path
    """The platform's datasets folder, as this machine sees it; bundles are put there under their hashes."""
    agent_host: str = "127.0.0.1"
    """An address of this machine that the platform can call: the agent is served on it."""


Stack = LocalStack | RemoteStack | Path | None
"""A path is a local stack's home. None is the local stack in `.aml`."""


class PlatformAccess(Struct, frozen=True, kw_only=True):
    url: str
    operator_key: str
    datasets: Path
    logs: Path
    agent_host: str = "127.0.0.1"
    ledger_url: str | None = None
    """Only of a local stack, whose verifier key is at hand."""
    verifier_file: Path | None = None
    pipeline_digest: str | None = None
    """None where the platform's code is not this one."""

    def platform(self) -> Platform:
        return Platform(self.url, self.operator_key)

    async def checkpoint(self) -> CheckpointShown | None:
        """None where there is none to be trusted now: a private run's result stands without it."""
        if self.ledger_url is None or self.verifier_file is None:
            return None
        try:
            return await read_checkpoint(self.ledger_url, read_verifier(self.verifier_file))
        except LogUnreadable:
            return None


def choose_stack(
    stack: Stack | str, operator_key: str | None, datasets: Path | str | None, home: Path | str | None
) -> Stack:
    """An address needs its key and its datasets folder. Raises `WrongUsage`."""
    if not isinstance(stack, str):
        if stack is not None and home is not None:
            raise WrongUsage("home", "goes with no other stack; leave one of the two out")
        if isinstance(stack, RemoteStack):
            return structs.replace(stack, operator_key=_usable(stack.operator_key))
        return stack if stack is not None or home is None else Path(home)
    if not stack.startswith(("http://", "https://")):
        raise WrongUsage(
            "stack", f"{stack!r} is no http:// or https:// address; give one, or a Path for a local stack's home"
        )
    if not operator_key:
        raise WrongUsage("operator_key", "is needed for a stack at an address; give the operator's key")
    if datasets is None:
        raise WrongUsage("datasets", "is needed for a stack at an address; give the folder where it reads its datasets")
    return RemoteStack(url=stack, operator_key=_usable(operator_key), datasets=Path(datasets))


def _usable(operator_key: str) -> str:
    """As a file's last line break leaves it. What no header can carry is refused here, where nothing shows it."""
    key = operator_key.strip()
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise WrongUsage("operator_key", "is not one line of letters, digits and signs; check that it was copied whole")
    return key


def datasets_folder(stack: Stack) -> Path:
    """Where bundles go; of a local stack it is there before the stack runs. Raises `WrongUsage`, `LocalStackError`."""
    if isinstance(stack, RemoteStack):
        if not stack.datasets.is_dir():
            raise WrongUsage("datasets", f"{stack.datasets} is no folder")
        return stack.datasets
    return make_home(_local(stack).layout.home).datasets


@asynccontextmanager
async def access_platform(stack: Stack, *, keep: bool = False) -> AsyncIterator[PlatformAccess]:
    """A local stack is started where none runs, and stopped by the last who used it unless it is kept.

    Raises `LocalStackError`. An interruption waits for the start to end, so that nothing is left running.
    """
    if isinstance(stack, RemoteStack):
        yield PlatformAccess(
            url=stack.url.rstrip("/"),
            operator_key=stack.operator_key,
            datasets=stack.datasets,
            logs=Path("logs"),
            agent_host=stack.agent_host,
        )
        return
    leasing = lease_stack(_local(stack), keep=keep)
    entering = asyncio.create_task(asyncio.to_thread(leasing.__enter__))
    try:
        lease = await asyncio.shield(entering)
    except asyncio.CancelledError:
        await asyncio.wait({entering})
        if not entering.cancelled() and entering.exception() is None:
            leasing.__exit__(None, None, None)
        raise
    try:
        yield _access(lease)
    finally:
        await asyncio.shield(asyncio.to_thread(leasing.__exit__, None, None, None))


def _local(stack: LocalStack | Path | None) -> LocalStack:
    return stack if isinstance(stack, LocalStack) else LocalStack(stack or DEFAULT_HOME)


def _access(lease: StackLease) -> PlatformAccess:
    info = lease.info
    layout = Layout(info.home)
    return PlatformAccess(
        url=info.portal,
        operator_key=info.operator_key_file.read_text("ascii").strip(),
        datasets=layout.datasets,
        logs=layout.logs,
        ledger_url=f"http://127.0.0.1:{info.ports['ledger']}",
        verifier_file=layout.verifier_file,
        pipeline_digest=pipeline_digest(),
    )
