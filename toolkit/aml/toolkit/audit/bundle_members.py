"""The members of a bundle, in a fixed order: the entries while they pass by, then all that follows from them. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from aml.contracts.audit import BundleManifest, BundleScope, Opening
from aml.rules.bundle_layout import (
    CHECKPOINT,
    MANIFEST,
    POLICY,
    SCHEMAS,
    board_path,
    chosen_path,
    openings_path,
    proof_path,
    release_path,
)
from aml.rules.bundle_tree import BundleTree
from aml.rules.checkpoint import Checkpoint
from aml.rules.merkle import leaf_hash
from aml.rules.tiles import TILE_WIDTH, TileName, encode_bundle
from aml.rules.tlog_proof import encode_tlog_proof

from .entry_choice import EntryChoice
from .errors import LogDiffers

PAGE_BYTES = 8 << 20
"""Of chosen entries and of openings: far below what a verifier reads at once."""

Member = tuple[str, bytes]


class EntryPages:
    """Takes the log's entries in order and gives the members that they fill. Holds one page, and the leaves."""

    def __init__(self, scope: BundleScope, choice: EntryChoice) -> None:
        self.choice = choice
        self.leaves: list[bytes] = []
        self.held = 0
        self._whole = scope == "cycle"
        self._page: list[bytes] = []
        self._page_bytes = 0
        self._pages = 0

    def take(self, body: bytes) -> Iterator[Member]:
        """Raises `LogDiffers` for bytes that are no entry."""
        index = len(self.leaves)
        try:
            chosen = self.choice.take(index, body)
        except msgspec.DecodeError as error:
            raise LogDiffers(f"entry {index} is none ({error})") from None
        self.leaves.append(leaf_hash(body))
        if not chosen:
            return
        self.held += 1
        self._page.append(body)
        self._page_bytes += len(body) + 1
        if len(self._page) == TILE_WIDTH if self._whole else self._page_bytes >= PAGE_BYTES:
            yield self._turned()

    def rest(self) -> Iterator[Member]:
        if self._page:
            yield self._turned()

    def _turned(self) -> Member:
        page, self._page, self._page_bytes = self._page, [], 0
        number, self._pages = self._pages, self._pages + 1
        if not self._whole:
            return chosen_path(number), b"".join(body + b"\n" for body in page)
        return TileName(level=None, index=number, width=len(page)).path, encode_bundle(page)


class Beside(Struct, frozen=True, kw_only=True):
    """What a bundle holds beside the log's own entries and hashes."""

    note: str
    policy: str | None = None
    releases: Mapping[str, Mapping[str, bytes]] = msgspec.field(default_factory=dict)
    """Folder digest to its files."""
    boards: Mapping[str, bytes] = msgspec.field(default_factory=dict)
    schemas: Mapping[str, bytes] = msgspec.field(default_factory=dict)


def members_beside(pages: EntryPages, checkpoint: Checkpoint, beside: Beside) -> Iterator[Member]:
    """After the last entry. Raises `LogDiffers` when the entries do not give the checkpoint's root."""
    tree = BundleTree(pages.leaves)
    if tree.size != checkpoint.size:
        raise LogDiffers(f"it covers {checkpoint.size} entries, and {tree.size} came")
    if tree.root(tree.size) != checkpoint.root:
        raise LogDiffers(f"its {tree.size} entries give another root")
    yield from ((name.path, data) for name, data in tree.tiles())
    for index in sorted(pages.choice.decided):
        proof = encode_tlog_proof(index=index, proof=tree.proof(index, tree.size), checkpoint=beside.note)
        yield proof_path(index), proof.encode()
    for digest, contents in sorted(beside.releases.items()):
        yield from ((release_path(digest, path), data) for path, data in sorted(contents.items()))
    yield from ((board_path(board_id), data) for board_id, data in sorted(beside.boards.items()))
    yield from ((f"{SCHEMAS}{name}", data) for name, data in sorted(beside.schemas.items()))
    if beside.policy is not None:
        yield POLICY, beside.policy.encode()
    yield CHECKPOINT, beside.note.encode()


def openings_page(job_id: str, page: int, openings: Sequence[Opening]) -> Member:
    return openings_path(job_id, page), b"".join(msgspec.json.encode(each) + b"\n" for each in openings)


def manifest_member(
    *, scope: BundleScope, checkpoint: Checkpoint, held: int, jobs: Iterable[str], opened: Iterable[str]
) -> Member:
    """The last one, for only then all of it is known."""
    manifest = BundleManifest(
        scope=scope,
        origin=checkpoint.origin,
        size=checkpoint.size,
        entries=held,
        jobs=tuple(sorted(jobs)),
        opened=tuple(sorted(opened)),
    )
    return MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
