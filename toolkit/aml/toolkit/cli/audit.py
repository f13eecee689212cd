"""`aml audit`: take the log with you, verify it without anybody, score it again, read a job's story."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from aml.rules.entry import EntryInvalid, ReadEntry, read_entry
from aml.rules.verify import parse_keys
from aml.toolkit.audit.audit_source import AuditedLog, audited_log, read_key_file
from aml.toolkit.audit.errors import NothingToExport
from aml.toolkit.audit.export import Exported, ExportPlan, export
from aml.toolkit.audit.log_source import LogSource
from aml.toolkit.audit.opened_job import read_job
from aml.toolkit.audit.replay import replay
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.local.home import Layout

from .audit_options import OutcomeFile, Releases
from .audit_rejudge import rejudge_bundle
from .audit_verify import verify
from .boundary import CommandFailed
from .opened_bundle import OpenedBundle
from .output_file import check_output, write_json
from .stack import DEFAULT_HOME, Home

app = typer.Typer(help="Export the log, verify it offline, score it again, replay a job.", no_args_is_help=True)

Url = Annotated[
    str | None, typer.Option("--url", metavar="URL", help="A ledger or portal elsewhere; without it the local stack.")
]


def export_bundle(
    job: Annotated[list[str] | None, typer.Option("--job", metavar="ID", help="This job. Repeatable.")] = None,
    board: Annotated[bool, typer.Option("--board", help="The public boards and every job on them.")] = False,
    cycle: Annotated[bool, typer.Option("--cycle", help="The whole log, private jobs included.")] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Default: aml-audit-….zip here.")] = None,
    opened: Annotated[
        bool, typer.Option("--open", help="Open the evidence too: questions, memories, answers, verdicts.")
    ] = False,
    releases: Releases = None,
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="The log's verifier key, if kept.")] = None,
    url: Url = None,
    home: Home = DEFAULT_HOME,
    json: OutcomeFile = None,
) -> None:
    """Write one archive with everything that an auditor needs.

    --open needs the evidence store and its key: a local stack's own, or AML_EVIDENCE_URL and AML_EVIDENCE_KEK_FILE.
    """
    jobs = tuple(dict.fromkeys(job or ()))
    chosen = [name for name, given in (("job", bool(jobs)), ("board", board), ("cycle", cycle)) if given]
    if len(chosen) != 1:
        raise WrongUsage("--job, --board, --cycle", "give exactly one of them")
    scope = chosen[0]
    file = out or Path(f"aml-audit-{jobs[0] if scope == 'job' else scope}.zip")
    check_output("--out", file)
    check_output("--json", json)
    plan = ExportPlan(scope=scope, jobs=jobs, releases=releases)  # type: ignore[arg-type]
    with audited_log(url, home) as log:
        exported = asyncio.run(_export(log, plan, key, file, opened=opened))
    write_json(json, exported)
    evidence = f", evidence of {len(exported.opened)} jobs opened" if opened else ""
    typer.echo(f"{file}: {exported.entries:,} of {exported.size:,} entries, {exported.bytes:,} bytes{evidence}")
    typer.echo(f"verify it with: aml audit verify {file} --key FILE   (`aml audit key` prints the key)")


def print_key(url: Url = None, home: Home = DEFAULT_HOME) -> None:
    """Print the log's verifier keys, the current one first. Keep them: a key that came with a bundle proves nothing."""
    if url is None and (kept := Layout(home).verifiers_file).is_file():
        for each in read_key_file(kept):
            typer.echo(str(each))
        return
    with audited_log(url, home) as log:
        typer.echo(asyncio.run(_verifiers(log)))


def replay_job(
    bundle: Annotated[Path | None, typer.Argument(metavar="[BUNDLE]", help="Without it, the log is asked.")] = None,
    job: Annotated[str | None, typer.Option("--job", metavar="ID")] = None,
    until: Annotated[int | None, typer.Option("--until", min=1, metavar="N", help="Only the first N entries.")] = None,
    url: Url = None,
    home: Home = DEFAULT_HOME,
) -> None:
    """Tell a job's story from its entries alone, one line an event."""
    if bundle is not None:
        with OpenedBundle(bundle) as archive:
            entries = read_job(archive.files, job).entries
    elif job is None:
        raise WrongUsage("--job", "is missing; it names the job to replay")
    else:
        with audited_log(url, home) as log:
            entries = asyncio.run(_entries(log, job))
    for line in replay(entries, until):
        typer.echo(line)


async def _export(log: AuditedLog, plan: ExportPlan, key: Path | None, file: Path, *, opened: bool) -> Exported:
    evidence = log.evidence(os.environ) if opened else None  # noqa: TID251 - an operator's machine names its store there
    key_file = key or log.key_file
    async with LogSource(log.url, board_url=log.board_url) as source:
        keys = read_key_file(key_file) if key_file is not None else parse_keys(await source.verifiers())
        return await export(source, plan, keys, file, evidence)


async def _verifiers(log: AuditedLog) -> str:
    async with LogSource(log.url) as source:
        return await source.verifiers()


async def _entries(log: AuditedLog, job_id: str) -> tuple[ReadEntry, ...]:
    async with LogSource(log.url) as source:
        bodies = await source.job(job_id)
    if bodies is None:
        raise NothingToExport(f"the log holds no entry of job {job_id}")
    try:
        return tuple(map(read_entry, bodies))
    except EntryInvalid as error:
        raise CommandFailed(f"the log holds something else than entries: {error.problem}") from None


for _name, _command in (
    ("export", export_bundle),
    ("key", print_key),
    ("verify", verify),
    ("rejudge", rejudge_bundle),
    ("replay", replay_job),
):
    app.command(_name)(_command)
