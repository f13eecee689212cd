"""The layout in which the log is published: hash tiles and entry bundles, as static files. Source: https://c2sp.org/tlog-tiles

A tile holds up to 256 consecutive hashes of every eighth level of the tree, a bundle the entries under a tile of level 0.
Where a tree ends inside a tile, the file that belongs to that tree is the *partial* tile of the tree's width there.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from .merkle import HASH_BYTES, TILE_LEVELS

TILE_WIDTH: Final = 1 << TILE_LEVELS
MAX_ENTRY_BYTES: Final = 0xFFFF
"""A bundle says an entry's length in 16 bits. The log refuses an event that would make a longer entry."""
CHECKPOINT_PATH: Final = "checkpoint"

_MAX_LEVEL: Final = 63
_PATH: Final = re.compile(r"tile/(entries|0|[1-9][0-9]?)/((?:x[0-9]{3}/){0,5}[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")


class TileInvalid(Exception):
    """A path names no tile, or a file's bytes are not what its name says."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


class TileName(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    level: int | None
    """In steps of eight tree levels; None for a bundle of entries."""
    index: int
    width: int = TILE_WIDTH
    """Hashes or entries in it: 256, or fewer in a partial one."""

    @property
    def full_path(self) -> str:
        """The path that the tile has, or will have, when it is full."""
        return f"tile/{'entries' if self.level is None else self.level}/{index_path(self.index)}"

    @property
    def path(self) -> str:
        return self.full_path if self.width == TILE_WIDTH else f"{self.full_path}.p/{self.width}"

    @property
    def partials(self) -> str:
        """The folder of the partial forms of this tile."""
        return f"{self.full_path}.p"

    @property
    def filled(self) -> "TileName":
        """The full tile that this one becomes part of."""
        return TileName(level=self.level, index=self.index)


def index_path(index: int) -> str:
    """`1234067` is `x001/x234/067`: no file has the name of a folder."""
    groups = [f"{index % 1000:03d}"]
    while index := index // 1000:
        groups.append(f"x{index % 1000:03d}")
    return "/".join(reversed(groups))


def parse_tile_path(path: str) -> TileName:
    """Raises `TileInvalid` for anything but the one spelling of a tile's path."""
    found = _PATH.fullmatch(path)
    if found is None:
        raise TileInvalid(path[:100], "is not the path of a tile")
    kind, digits, width = found.groups()
    name = TileName(
        level=None if kind == "entries" else int(kind),
        index=int(digits.replace("x", "").replace("/", "")),
        width=TILE_WIDTH if width is None else int(width),
    )
    if name.path != path or (name.level or 0) > _MAX_LEVEL:
        raise TileInvalid(path, "is not the path of a tile")
    return name


def tiles_of(size: int) -> Iterator[TileName]:
    """Every hash tile and bundle of the tree of `size` leaves; bundles first, then the levels from 0 up."""
    yield from _row(None, size)
    level = 0
    while size:
        yield from _row(level, size)
        level, size = level + 1, size >> TILE_LEVELS


def partials_of(size: int) -> Iterator[TileName]:
    """The partial tiles and the partial bundle of the tree of `size` leaves."""
    return (name for name in _last_of_rows(size) if name.width < TILE_WIDTH)


def encode_bundle(entries: Sequence[bytes]) -> bytes:
    """Raises `OverflowError` for an entry of more than `MAX_ENTRY_BYTES`."""
    return b"".join([part for entry in entries for part in (len(entry).to_bytes(2, "big"), entry)])


def decode_bundle(name: TileName, data: bytes) -> tuple[bytes, ...]:
    """Raises `TileInvalid` unless `data` is exactly `name.width` entries."""
    entries, at = [], 0
    while at < len(data):
        start = at + 2
        at = start + int.from_bytes(data[at:start], "big")
        entries.append(data[start:at])
    if at != len(data) or len(entries) != name.width:
        raise TileInvalid(name.path, f"does not hold {name.width} whole entries")
    return tuple(entries)


def decode_tile(name: TileName, data: bytes) -> tuple[bytes, ...]:
    """Raises `TileInvalid` unless `data` is exactly `name.width` hashes."""
    if len(data) != name.width * HASH_BYTES:
        raise TileInvalid(name.path, f"has {len(data)} bytes, not {name.width * HASH_BYTES}")
    return tuple(data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES))


def first_part(name: TileName, filled: bytes) -> bytes:
    """The partial tile `name`, cut from its full tile: what a reader gets who comes after the partial one was removed.

    Raises `TileInvalid` when `filled` is no full tile.
    """
    if name.level is None:
        return encode_bundle(decode_bundle(name.filled, filled)[: name.width])
    return b"".join(decode_tile(name.filled, filled)[: name.width])


def _row(level: int | None, width: int) -> Iterator[TileName]:
    for index in range(width >> TILE_LEVELS):
        yield TileName(level=level, index=index)
    if rest := width % TILE_WIDTH:
        yield TileName(level=level, index=width >> TILE_LEVELS, width=rest)


def _last_of_rows(size: int) -> Iterator[TileName]:
    row: int | None = None
    while size:
        yield TileName(level=row, index=size >> TILE_LEVELS, width=size % TILE_WIDTH or TILE_WIDTH)
        if row is not None:
            size >>= TILE_LEVELS
        row = 0 if row is None else row + 1
