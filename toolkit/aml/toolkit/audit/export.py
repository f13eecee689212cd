"""Writes a bundle: one pass over the log, checked against its own checkpoint, then what belongs beside it."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from aml.contracts.audit import BundleScope
from aml.contracts.boards import Board
from aml.rules.bundle_archive import ArchiveWriter
from aml.rules.checkpoint import Checkpoint, NoteInvalid
from aml.rules.entry import EntryInvalid, read_entry
from aml.rules.verify.head import Keys, open_head
from aml.runtime.evidence import EvidenceStore
from aml.runtime.release_folder import ReleaseError, bundled_releases, find_release, folder_digest, release_files
from aml.toolkit.schemas import schema_files

from .bundle_members import Beside, EntryPages, manifest_member, members_beside
from .entry_choice import EntryChoice
from .errors import LogDiffers, NothingToExport, ReleaseAbsent, SourceUnreadable
from .evidence_openings import open_evidence
from .log_source import LogSource


class ExportPlan(Struct, frozen=True, kw_only=True):
    scope: BundleScope
    jobs: tuple[str, ...] = ()
    """For scope `job`."""
    releases: Path | None = None
    """A folder of release folders beside the bundled ones."""
    policy: str | None = None


class Exported(Struct, frozen=True, kw_only=True):
    file: Path
    bytes: int
    scope: BundleScope
    size: int
    """Entries under the checkpoint."""
    entries: int
    """Entries in the bundle."""
    jobs: tuple[str, ...]
    opened: tuple[str, ...]
    root: str


async def export(
    source: LogSource, plan: ExportPlan, keys: Keys, file: Path, evidence: EvidenceStore | None = None
) -> Exported:
    """`evidence` opens commitments, and stands only where the caller may read them.

    The file appears when it is whole. Raises `AuditError`.
    """
    note = await source.checkpoint()
    try:
        checkpoint = open_head(note, keys)
    except NoteInvalid as error:
        raise LogDiffers(error.problem) from None
    boards = {} if plan.scope == "job" else _of_this_tree(await source.boards(), checkpoint)
    jobs = _jobs_of(plan, boards)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:  # blocking file calls: nothing else runs in this process's loop
        with draft.open("wb") as out, ArchiveWriter(out) as archive:
            held, opened = await _write(
                source, plan, checkpoint, note, boards, None if plan.scope == "cycle" else jobs, archive, evidence
            )
        length = draft.stat().st_size
        draft.replace(file)
    except OSError as error:
        raise SourceUnreadable(str(file), f"cannot be written ({error.strerror})") from None
    finally:
        draft.unlink(missing_ok=True)
    return Exported(
        file=file,
        bytes=length,
        scope=plan.scope,
        size=checkpoint.size,
        entries=held,
        jobs=tuple(sorted(jobs)),
        opened=opened,
        root=checkpoint.root.hex(),
    )


async def _write(
    source: LogSource,
    plan: ExportPlan,
    checkpoint: Checkpoint,
    note: str,
    boards: Mapping[str, bytes],
    jobs: Collection[str] | None,
    archive: ArchiveWriter,
    evidence: EvidenceStore | None,
) -> tuple[int, tuple[str, ...]]:
    choice = EntryChoice(jobs)
    pages = EntryPages(plan.scope, choice)
    async for body in source.entries(checkpoint.size):
        archive.add_all(pages.take(body))
    archive.add_all(pages.rest())
    for job_id in jobs or ():
        if job_id not in choice.seen:
            raise NothingToExport(f"the log holds no entry of job {job_id}; `aml audit export --cycle` takes all of it")
    beside = Beside(
        note=note,
        policy=plan.policy if plan.policy is not None else await source.policy(),
        releases=_release_folders(choice.releases, plan.releases),
        boards=boards,
        schemas={name: text.encode() for name, text in schema_files().items()},
    )
    archive.add_all(members_beside(pages, checkpoint, beside))
    wanted = sorted(choice.seen if jobs is None else jobs) if evidence is not None else []
    opened = [
        job_id for job_id in wanted if evidence and await _open_job(source, job_id, checkpoint.size, evidence, archive)
    ]
    archive.add(
        *manifest_member(scope=plan.scope, checkpoint=checkpoint, held=pages.held, jobs=jobs or (), opened=opened)
    )
    return pages.held, tuple(opened)


async def _open_job(source: LogSource, job_id: str, size: int, evidence: EvidenceStore, archive: ArchiveWriter) -> bool:
    bodies = await source.job(job_id) or []
    try:
        entries = [entry for entry in map(read_entry, bodies) if entry.index < size]
    except EntryInvalid as error:
        raise LogDiffers(f"job {job_id}: {error.problem}") from None
    found = False
    async for member in open_evidence(evidence, job_id, entries):
        archive.add(*member)
        found = True
    return found


def _jobs_of(plan: ExportPlan, boards: Mapping[str, bytes]) -> frozenset[str]:
    if plan.scope != "board":
        return frozenset(plan.jobs)
    jobs = {row.job_id for data in boards.values() for row in _decoded(data).rows}
    if not jobs:
        raise NothingToExport("no board has a row yet; `aml audit export --job ID` or `--cycle` need none")
    return frozenset(jobs)


def _of_this_tree(boards: Mapping[str, bytes], checkpoint: Checkpoint) -> dict[str, bytes]:
    """A board published a moment after the checkpoint was read is of a tree that this bundle does not hold."""
    sizes = {
        board_id: max((row.log.tree_size for row in _decoded(data).rows), default=0)
        for board_id, data in boards.items()
    }
    return {board_id: data for board_id, data in boards.items() if sizes[board_id] <= checkpoint.size}


def _decoded(data: bytes) -> Board:
    try:
        return msgspec.json.decode(data, type=Board)
    except msgspec.DecodeError as error:
        raise SourceUnreadable("a board's file", f"holds no board ({error})") from None


def _release_folders(wanted: Mapping[str, str], extra: Path | None) -> dict[str, dict[str, bytes]]:
    """Raises `ReleaseAbsent`: without its release, a job's decision cannot be made again."""
    found: dict[str, dict[str, bytes]] = {}
    for digest, release_id in wanted.items():
        contents = _contents(release_id, extra)
        if contents is None or folder_digest(contents) != digest:
            raise ReleaseAbsent(release_id, digest)
        found[digest] = contents
    return found


def _contents(release_id: str, extra: Path | None) -> dict[str, bytes] | None:
    try:
        return release_files(find_release(release_id, extra))
    except ReleaseError:
        folder = bundled_releases().get(release_id)
        return release_files(folder) if folder is not None else None
