"""`aml evidence`: rotate its key, destroy a job's, enforce the 30-day rule, sweep what no event cites."""

import asyncio
import os
from typing import Annotated

import typer

from aml.rules.evidence_use import EvidenceUse
from aml.rules.orphans import GRACE_HOURS
from aml.rules.retention import RETENTION_DAYS
from aml.runtime.clock import SystemClock
from aml.toolkit.audit.log_source import LogSource
from aml.toolkit.evidence.place import EvidencePlace, named_place, running_place
from aml.toolkit.evidence.tend import enforce_retention, rotate_key, shred_job, sweep, use_of

from .stack import DEFAULT_HOME, Home

_ENVIRON = os.environ  # noqa: TID251 - an operator's command is a process of its own

app = typer.Typer(
    help="Tend the evidence: its key, its end, its orphans. Of a local stack, or where AML_EVIDENCE_URL,"
    " AML_EVIDENCE_KEK_FILE, AML_LEDGER_URL and AML_NATS_URL say.",
    no_args_is_help=True,
)

DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would go, and touch nothing.")]


@app.command("rotate-key")
def rotate(
    finish: Annotated[
        bool, typer.Option("--finish", help="Retire the older versions, once nothing uses them.")
    ] = False,
    home: Home = DEFAULT_HOME,
) -> None:
    """Add a version to the key-encryption key and bring every data key and participants' key under it.

    Services go on meanwhile. Interrupted, the same command goes on where it was.
    """
    place = named_place(home, _ENVIRON)
    done = asyncio.run(rotate_key(place, finish=finish))
    rotated = done.rotated
    typer.echo(
        f"version {done.version} is in use: {rotated.data_keys} data keys and {rotated.secrets} participants' keys"
        f" brought under it, {rotated.already} were already"
    )
    for path in rotated.unreadable:
        typer.echo(f"no version of the key opens {path}", err=True)
    if done.retired:
        typer.echo(f"retired: version {', '.join(map(str, done.retired))}")
    elif not finish:
        typer.echo("when every machine has the new key file: aml evidence rotate-key --finish", err=True)


@app.command("shred")
def shred(
    job: Annotated[str, typer.Option("--job", metavar="ID", help="A job that is over.")],
    home: Home = DEFAULT_HOME,
) -> None:
    """Destroy a job's evidence for good: key, nonces, ciphertexts. Its entries, scores and proofs stay."""

    async def perform(place: EvidencePlace) -> int:
        return await shred_job(place, await _use(place), job, SystemClock())

    with running_place(home, _ENVIRON) as place:
        objects = asyncio.run(perform(place))
    typer.echo(f"job {job}: {objects} objects and their key are destroyed")


@app.command("retention")
def retention(
    days: Annotated[int, typer.Option("--days", min=1, help="After a job's end.")] = RETENTION_DAYS,
    dry_run: DryRun = False,
    home: Home = DEFAULT_HOME,
) -> None:
    """Destroy the evidence of every job that has been over for --days. The gateway does the same every hour."""

    async def perform(place: EvidencePlace) -> tuple[str, ...]:
        return await enforce_retention(place, await _use(place), SystemClock(), days=days, dry_run=dry_run)

    with running_place(home, _ENVIRON) as place:
        due = asyncio.run(perform(place))
    for job_id in due:
        typer.echo(job_id)
    typer.echo(f"{len(due)} jobs {'would lose' if dry_run else 'lost'} their evidence", err=True)


@app.command("sweep")
def sweep_orphans(
    grace: Annotated[int, typer.Option("--grace-hours", min=1, help="Younger objects stay.")] = GRACE_HOURS,
    dry_run: DryRun = False,
    force: Annotated[bool, typer.Option("--force", help="Also when the log knows few of the store's jobs.")] = False,
    home: Home = DEFAULT_HOME,
) -> None:
    """Remove evidence that no entry of the log cites."""
    with running_place(home, _ENVIRON) as place:
        swept = asyncio.run(
            sweep(place, lambda: _use(place), SystemClock(), grace_hours=grace, dry_run=dry_run, force=force)
        )
    for each in swept.orphans:
        typer.echo(f"{each.path} ({each.size} bytes)")
    typer.echo(f"{len(swept.orphans)} orphans, {swept.bytes} bytes {'found' if dry_run else 'removed'}", err=True)


async def _use(place: EvidencePlace) -> EvidenceUse:
    async with LogSource(place.ledger.url) as source:
        return await use_of(source)
