"""A bundle's entries in the log's order, one at a time: the whole log from its entry bundles, or the chosen ones."""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from aml.contracts.audit import BundleManifest
from aml.rules.bundle_archive import BundleFiles
from aml.rules.bundle_layout import CHOSEN_ENTRIES
from aml.rules.bundle_tree import shorter_part
from aml.rules.tiles import TILE_WIDTH, TileInvalid, TileName, decode_bundle, tiles_of

from .findings import Findings


class _Place(Struct):
    index: int


_place = msgspec.json.Decoder(_Place)


def entries_of(
    files: BundleFiles, manifest: BundleManifest, size: int, findings: Findings
) -> Iterator[tuple[int, bytes]]:
    """Index and bytes. What is missing or unreadable is refused, and left out."""
    return _whole(files, size, findings) if manifest.scope == "cycle" else _chosen(files, size, findings)


def _whole(files: BundleFiles, size: int, findings: Findings) -> Iterator[tuple[int, bytes]]:
    """Ends where the first file is missing: the size is only what the checkpoint says, and may be any number."""
    for name in tiles_of(size):
        if name.level is not None:
            return
        index = name.index * TILE_WIDTH
        found = name if name.path in files else _shorter(files, name, findings)
        if found is None:
            return
        try:
            bodies = decode_bundle(found, files[found.path])
        except TileInvalid as error:
            findings.refuse("entries", "entries_unreadable", str(error), entry=index)
            return
        yield from enumerate(bodies, index)
        if found is not name:
            return


def _shorter(files: BundleFiles, name: TileName, findings: Findings) -> TileName | None:
    width = shorter_part(files, name)
    missing = name.index * TILE_WIDTH + (width or 0)
    findings.refuse("entries", "entries_missing", f"entry {missing} and what follows it is missing", entry=missing)
    return None if width is None else TileName(level=None, index=name.index, width=width)


def _chosen(files: BundleFiles, size: int, findings: Findings) -> Iterator[tuple[int, bytes]]:
    before = -1
    for page in sorted(name for name in files if name.startswith(CHOSEN_ENTRIES)):
        for data in files[page].split(b"\n"):
            if not data:
                continue
            try:
                index = _place.decode(data).index
            except (msgspec.DecodeError, RecursionError):
                problem = f"{page} holds a line that is no entry, after entry {before}"
                findings.refuse("entries", "entry_malformed", problem, entry=before + 1)
                continue
            if not before < index < size:
                problem = f"entry {index} stands after entry {before} in a log of {size}"
                findings.refuse("entries", "entry_misplaced", problem, entry=index)
                continue
            before = index
            yield index, data
