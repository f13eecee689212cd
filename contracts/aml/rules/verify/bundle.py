"""A whole bundle, from its signature to its board rows. No server is asked and none is trusted.

The order is that of trust: the signature gives the root, the root gives the leaves, the leaves give the entries, the
entries give each job's chain, result and decision, and those give the board.
"""

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from aml.contracts.audit import BundleManifest
from aml.contracts.release import Release
from aml.rules.bundle_archive import BundleFiles
from aml.rules.bundle_layout import CHECKPOINT, MANIFEST, POLICY, RELEASES
from aml.rules.bundle_tree import BundleTree, TreeIncomplete, check_upper_tiles, read_tree
from aml.rules.checkpoint import Checkpoint
from aml.rules.entry import EntryInvalid, read_entry
from aml.rules.release_digest import MANIFEST as RELEASE_MANIFEST
from aml.rules.release_digest import ManifestInvalid, folder_digest, read_manifest

from .boards import check_boards
from .entry_reading import entries_of
from .findings import AuditReport, BundleUnusable, Findings
from .gate_context import GateContext
from .head import Keys, check_previous, check_quorum, check_signature, read_head
from .job_fold import LogFold
from .openings import check_openings
from .proofs import check_proofs

_FORMAT = "aml_bundle.v1"
_JOB_ID = re.compile(rb'"job_id":"([A-Za-z0-9_-]{1,80})"')


class _Kind(msgspec.Struct):
    type: str


def verify_bundle(
    files: BundleFiles,
    keys: Keys,
    *,
    previous: str | None = None,
    policy: str | None = None,
    now_s: int | None = None,
) -> AuditReport:
    """`keys` are the log's, from somewhere else than the bundle. `previous` is an older checkpoint of the reader's own.
    `policy` stands before the bundle's, which its server chose.

    Raises `BundleUnusable` for what is no bundle, and `ArchiveInvalid` for a member that cannot be read.
    """
    findings = Findings()
    manifest = read_manifest_of(files)
    note = _text(files, CHECKPOINT)
    checkpoint = read_head(note)
    check_signature(note, checkpoint, keys, findings)
    if policy is None and POLICY in files:
        policy = _text(files, POLICY)
    check_quorum(note, policy, keys, now_s, findings)
    tree = _check_root(files, manifest, checkpoint, findings)
    check_previous(previous, checkpoint, tree, keys, findings)
    fold = LogFold(
        findings=findings,
        context=GateContext(_Releases(files).of),
        whole=None if manifest.scope == "cycle" else frozenset(manifest.jobs),
        opened=frozenset(manifest.opened),
    )
    with _without_collector():
        entries = _fold_entries(files, manifest, checkpoint.size, tree, fold, findings)
        jobs = fold.finish()
        if tree is None:
            for name in ("proofs", "board"):
                findings.skipped(name, "the bundle's tree cannot be read")
        else:
            check_proofs(files, keys, checkpoint, tree, findings)
            check_boards(files, keys, tree, fold, findings)
        check_openings(files, fold.cited, findings)
    return findings.report(
        scope=manifest.scope,
        origin=checkpoint.origin,
        size=checkpoint.size,
        root=checkpoint.root.hex(),
        entries=entries,
        jobs=jobs,
    )


def read_manifest_of(files: BundleFiles) -> BundleManifest:
    """Raises `BundleUnusable`, also for a bundle of another version."""
    if MANIFEST not in files:
        raise BundleUnusable("not_a_bundle", f"the archive holds no {MANIFEST}, so it is no bundle")
    data = files[MANIFEST]
    try:
        kind = msgspec.json.decode(data, type=_Kind).type
    except (msgspec.DecodeError, RecursionError):
        raise BundleUnusable("not_a_bundle", f"{MANIFEST} does not say what it is") from None
    if kind != _FORMAT:
        raise BundleUnusable("other_version", f"this is a bundle of kind {kind[:40]!a}; this verifier reads {_FORMAT}")
    try:
        return msgspec.json.decode(data, type=BundleManifest)
    except msgspec.DecodeError as error:
        raise BundleUnusable("manifest_malformed", f"{MANIFEST}: {error}") from None


def _check_root(
    files: BundleFiles, manifest: BundleManifest, checkpoint: Checkpoint, findings: Findings
) -> BundleTree | None:
    if (manifest.origin, manifest.size) != (checkpoint.origin, checkpoint.size):
        problem = f"{MANIFEST} speaks of {manifest.size} entries of {manifest.origin}, the checkpoint of others"
        findings.refuse("root", "manifest_differs", problem, entry=min(manifest.size, checkpoint.size))
    try:
        tree = read_tree(files, checkpoint.size)
    except TreeIncomplete as error:
        findings.refuse("root", error.code, error.problem, entry=error.entry)
        return None
    try:
        check_upper_tiles(files, tree)
    except TreeIncomplete as error:
        findings.refuse("root", error.code, error.problem, entry=error.entry)
    if tree.root(tree.size) != checkpoint.root:
        findings.refuse("root", "root_differs", "the tiles give another root than the checkpoint's")
    findings.passed("root", f"{tree.size:,} leaves give {checkpoint.root.hex()}")
    return tree


def _fold_entries(
    files: BundleFiles,
    manifest: BundleManifest,
    size: int,
    tree: BundleTree | None,
    fold: LogFold,
    findings: Findings,
) -> int:
    count = 0
    leaves = tree.leaves if tree is not None else None
    for index, data in entries_of(files, manifest, size, findings):
        count += 1
        try:
            entry = read_entry(data)
        except EntryInvalid as error:
            findings.refuse("entries", "entry_malformed", f"entry {index}: {error.problem}", entry=index)
            fold.damage(_job_of(data))
            continue
        if leaves is not None and entry.leaf != leaves[index].hex():
            findings.refuse("entries", "leaf_differs", f"entry {index} is not what its leaf commits to", entry=index)
            fold.damage(_job_of(data))
        elif entry.index != index:
            problem = f"entry {index} says that it is entry {entry.index}"
            findings.refuse("entries", "entry_misplaced", problem, entry=index)
        else:
            fold.take(entry)
    if count != manifest.entries:
        problem = f"the bundle holds {count} entries, and {manifest.entries} were to be there"
        findings.refuse("entries", "entries_missing", problem)
    findings.passed("entries", f"{count:,} entries in canonical form, each under its leaf")
    return count


class _Releases:
    """The release folders in the bundle. One whose files do not give its digest is no release."""

    def __init__(self, files: BundleFiles) -> None:
        self._folders: dict[str, dict[str, str]] = {}
        self._files = files
        self._read: dict[str, Release | None] = {}
        for name in files:
            if name.startswith(RELEASES):
                digest, _, path = name.removeprefix(RELEASES).partition("/")
                self._folders.setdefault(digest, {})[path] = name

    def of(self, digest: str) -> Release | None:
        if digest not in self._read:
            contents = {path: self._files[name] for path, name in self._folders.get(digest, {}).items()}
            found = None
            if RELEASE_MANIFEST in contents and folder_digest(contents) == digest:
                try:
                    found = read_manifest(contents[RELEASE_MANIFEST])
                except ManifestInvalid:
                    found = None
            self._read[digest] = found
        return self._read[digest]


def _text(files: BundleFiles, name: str) -> str:
    if name not in files:
        raise BundleUnusable("member_missing", f"the bundle holds no {name}")
    try:
        return files[name].decode()
    except UnicodeDecodeError:
        raise BundleUnusable("member_unreadable", f"the bundle's {name} is not text") from None


def _job_of(data: bytes) -> str | None:
    found = _JOB_ID.search(data)
    return found[1].decode() if found is not None else None


@contextmanager
def _without_collector() -> Iterator[None]:
    """Entries form no cycles, and walking all of them again and again takes a third of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
