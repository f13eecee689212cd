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
    """Takes the log's entries in order and gives the members that they fill.

    Of the whole log one page is in memory at a time; of chosen jobs all of their entries are.
    """

    def __init__(self, scope: BundleScope, choice: EntryChoice) -> None:
        self.choice = choice
        self.leaves: list[bytes] = []
        self.held = 0
        self._whole = scope == "cycle"
        self._page: list[bytes] = []
        self._chosen: list[tuple[int, bytes]] = []

    def take(self, body: bytes) -> Iterator[Member]:
        """Raises `LogDiffers` for bytes that are no entry."""
        index = len(self.leaves)
        try:
            chosen = self.choice.take(index, body)
        except (msgspec.DecodeError, RecursionError) as error:
            raise LogDiffers(f"entry {index} is none ({error})") from None
        self.leaves.append(leaf_hash(body))
        if not self._whole:
            if chosen:
                self._chosen.append((index, body))
            return
        self.held += 1
        self._page.append(body)
        if len(self._page) == TILE_WIDTH:
            yield self._tile(index)

    def rest(self) -> Iterator[Member]:
        if self._page:
            yield self._tile(len(self.leaves) - 1)
        if not self._whole:
            chosen = sorted([*self._chosen, *self.choice.later()])
            self.held = len(chosen)
            yield from _pages(body for _, body in chosen)

    def _tile(self, last: int) -> Member:
        page, self._page = self._page, []
        return TileName(level=None, index=last // TILE_WIDTH, width=len(page)).path, encode_bundle(page)


def _pages(bodies: Iterable[bytes]) -> Iterator[Member]:
    lines: list[bytes] = []
    length = number = 0
    for body in bodies:
        lines.append(body + b"\n")
        length += len(body) + 1
        if length >= PAGE_BYTES:
            yield chosen_path(number), b"".join(lines)
            lines, length, number = [], 0, number + 1
    if lines:
        yield chosen_path(number), b"".join(lines)


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
