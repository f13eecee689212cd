"""`aml audit`: take the log with you, verify it without anybody, score it again, read a job's story."""

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from aml.judge.chat_models import ChatModels
from aml.judge.errors import ModelRefused
from aml.judge.model_endpoint import endpoint_of
from aml.judge.settings import OpenAiSettings
from aml.rules.bundle_archive import ArchiveInvalid, BundleArchive
from aml.rules.checkpoint import NoteInvalid
from aml.rules.entry import EntryInvalid, ReadEntry, read_entry
from aml.rules.verify import AuditReport, BundleUnusable, parse_keys, verify_bundle
from aml.rules.verify.report_lines import report_lines
from aml.runtime.clock import SystemClock
from aml.runtime.release_folder import MANIFEST, LoadedRelease, ReleaseError, find_release, load_release
from aml.runtime.settings import read_settings
from aml.toolkit.audit.audit_source import AuditedLog, audited_log, read_key_file
from aml.toolkit.audit.errors import NothingToExport
from aml.toolkit.audit.export import Exported, ExportPlan, export
from aml.toolkit.audit.log_source import LogSource
from aml.toolkit.audit.opened_job import OpenedJob, read_job
from aml.toolkit.audit.rejudge import Rejudgement, rejudge
from aml.toolkit.audit.rejudge_lines import rejudge_lines
from aml.toolkit.audit.replay import replay
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.local.home import Layout

from .boundary import CommandFailed, ExitCode
from .output_file import check_output, write_json
from .stack import DEFAULT_HOME, Home

app = typer.Typer(help="Export the log, verify it offline, score it again, replay a job.", no_args_is_help=True)

Url = Annotated[
    str | None, typer.Option("--url", metavar="URL", help="A ledger or portal elsewhere; without it the local stack.")
]
Bundle = Annotated[Path, typer.Argument(metavar="BUNDLE", help="The archive that `aml audit export` wrote.")]
Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the whole outcome there.")]


@app.command("export")
def export_bundle(
    job: Annotated[list[str] | None, typer.Option("--job", metavar="ID", help="This job. Repeatable.")] = None,
    board: Annotated[bool, typer.Option("--board", help="The public boards and every job on them.")] = False,
    cycle: Annotated[bool, typer.Option("--cycle", help="The whole log, private jobs included.")] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Default: aml-audit-….zip here.")] = None,
    opened: Annotated[
        bool, typer.Option("--open", help="Open the evidence too: questions, memories, answers, verdicts.")
    ] = False,
    releases: Annotated[
        Path | None, typer.Option("--releases", help="A folder of release folders beside the bundled ones.")
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="The log's verifier key, if kept.")] = None,
    url: Url = None,
    home: Home = DEFAULT_HOME,
    json: Json = None,
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


@app.command("key")
def print_key(url: Url = None, home: Home = DEFAULT_HOME) -> None:
    """Print the log's verifier keys, the current one first. Keep them: a key that came with a bundle proves nothing."""
    if url is None and (kept := Layout(home).verifiers_file).is_file():
        for each in read_key_file(kept):
            typer.echo(str(each))
        return
    with audited_log(url, home) as log:
        typer.echo(asyncio.run(_verifiers(log)))


@app.command("verify")
def verify(
    bundle: Bundle,
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The log's verifier key.")],
    previous: Annotated[
        Path | None, typer.Option("--previous", metavar="FILE", help="An older checkpoint of this log, kept by you.")
    ] = None,
    policy: Annotated[
        Path | None, typer.Option("--policy", metavar="FILE", help="Your tlog-policy; without it the bundle's.")
    ] = None,
    json: Json = None,
) -> None:
    """Verify a bundle with no network, no database and no trust in the server.

    Exit codes: 0 verified, 1 refused, 2 nothing that could be verified.
    """
    check_output("--json", json)
    report = _verified(bundle, key, previous, policy)
    for line in report_lines(report):
        typer.echo(line)
    write_json(json, report)
    raise typer.Exit(0 if report.verified else 1)


@app.command("rejudge")
def rejudge_bundle(
    bundle: Bundle,
    judge: Annotated[str, typer.Option("--judge", metavar="RELEASE", help="A release's id, or its folder.")],
    job: Annotated[str | None, typer.Option("--job", metavar="ID", help="Where the bundle holds several.")] = None,
    releases: Annotated[
        Path | None, typer.Option("--releases", help="A folder of release folders beside the bundled ones.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show also the questions on which both agree.")] = False,
    json: Json = None,
) -> None:
    """Score the stored answers again under another judge, question by question.

    A release with a model judge calls AML_OPENAI_BASE_URL with the keys in AML_OPENAI_API_KEYS_FILE.
    """
    check_output("--json", json)
    release = _release(judge, releases)
    with _open_bundle(bundle) as archive:
        opened = _job(archive, job)
    outcome = asyncio.run(_rejudge(opened, release))
    for line in rejudge_lines(outcome, every=every):
        typer.echo(line)
    write_json(json, outcome)


@app.command("replay")
def replay_job(
    bundle: Annotated[Path | None, typer.Argument(metavar="[BUNDLE]", help="Without it, the log is asked.")] = None,
    job: Annotated[str | None, typer.Option("--job", metavar="ID")] = None,
    until: Annotated[int | None, typer.Option("--until", min=1, metavar="N", help="Only the first N entries.")] = None,
    url: Url = None,
    home: Home = DEFAULT_HOME,
) -> None:
    """Tell a job's story from its entries alone, one line an event."""
    if bundle is not None:
        with _open_bundle(bundle) as archive:
            entries = _job(archive, job).entries
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


async def _rejudge(job: OpenedJob, release: LoadedRelease) -> Rejudgement:
    settings = read_settings(_ModelOnly, os.environ).openai  # noqa: TID251 - this command's one reading of it
    models = ChatModels(endpoint_of(settings), SystemClock())
    try:
        return await rejudge(job, release, models.judging(release))
    except ModelRefused as error:
        raise CommandFailed(error.detail, ExitCode.BAD_USAGE) from None
    finally:
        await models.close()


class _ModelOnly(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    openai: OpenAiSettings = msgspec.field(default_factory=OpenAiSettings)


def _verified(bundle: Path, key: Path, previous: Path | None, policy: Path | None) -> AuditReport:
    try:
        keys = parse_keys(_text("--key", key))
    except NoteInvalid as error:
        raise WrongUsage("--key", f"{key} is no verifier key: {error.problem}") from None
    older = None if previous is None else _text("--previous", previous)
    trusted = None if policy is None else _text("--policy", policy)
    with _open_bundle(bundle) as archive:
        now_s = int(datetime.now(UTC).timestamp())
        return verify_bundle(archive.files, keys, previous=older, policy=trusted, now_s=now_s)


def _job(archive: "_OpenBundle", job: str | None) -> OpenedJob:
    return read_job(archive.files, job)


class _OpenBundle:
    """The edge from archive and bundle errors to one line and exit code 2."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> "_OpenBundle":
        try:
            self._file = self._path.open("rb")
        except OSError as error:
            raise CommandFailed(f"{self._path}: {error.strerror}", ExitCode.BAD_USAGE) from None
        try:
            self.files = BundleArchive(self._file)
        except ArchiveInvalid as error:
            self._file.close()
            raise self._unusable(error) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._file.close()
        if isinstance(error, ArchiveInvalid | BundleUnusable):
            raise self._unusable(error) from None

    def _unusable(self, error: ArchiveInvalid | BundleUnusable) -> CommandFailed:
        return CommandFailed(f"{self._path}: {error.problem} [{error.code}]", ExitCode.BAD_USAGE)


def _open_bundle(path: Path) -> _OpenBundle:
    return _OpenBundle(path)


def _release(named: str, releases: Path | None) -> LoadedRelease:
    folder = Path(named)
    try:
        return load_release(folder if (folder / MANIFEST).is_file() else find_release(named, releases))
    except ReleaseError as error:
        raise WrongUsage("--judge", str(error)) from None


def _text(option: str, path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(1_000_001).decode("utf-8")
    except OSError as error:
        raise WrongUsage(option, f"{path} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise WrongUsage(option, f"{path} is not text") from None
