"""A ledger without a database: the real signer, tiles and store, over rows in memory. And what an outsider makes of its files."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.factories.cosigners import log_key, private_key

from aml.ledger import sign_head as sign_head_module
from aml.ledger.checkpoint_queries import SignedRow
from aml.ledger.disk import Disk
from aml.ledger.log_keys import SigningKey
from aml.ledger.log_store import FolderLogStore
from aml.ledger.sign_head import sign_head
from aml.ledger.signer import Signer
from aml.ledger.tile_writer import TileWriter
from aml.rules.checkpoint import Checkpoint, VerifierKey, open_checkpoint
from aml.rules.merkle import Frontier, leaf_hash, root_of
from aml.rules.tile_edge import subtree_root
from aml.rules.tiles import TileName, decode_bundle, decode_tile, first_part, tiles_of
from aml.runtime.clock import FixedClock

ORIGIN = "log.example.org/paper"
KEYS = (SigningKey(private_key=private_key("paper"), key=log_key(ORIGIN, "paper")),)
MISSING = b""
CLOCK = FixedClock(1_780_000_000_000)


class PaperRows:
    """What the signer asks the database for. Its `acting` is a transaction: what fails leaves no checkpoint."""

    def __init__(self, bodies: list[bytes]) -> None:
        self.bodies = bodies
        self.checkpoints: dict[int, SignedRow] = {}
        self.leaves: dict[int, bytes] = {}
        """The leaf beside a row, where it is not the hash of the row."""
        self.head: Frontier | None = None
        """Where the sequencer says that the log stands, if it is to say something else than the rows."""

    @contextlib.asynccontextmanager
    async def acting(self, _pool: object, _role: str) -> AsyncIterator["PaperRows"]:
        before = dict(self.checkpoints)
        try:
            yield self
        except BaseException:
            self.checkpoints = before
            raise

    async def lock_signing(self, _: object) -> None: ...

    async def load_head(self, _: object) -> Frontier:
        return self.head if self.head is not None else frontier_of(self.bodies)

    async def load_checkpoint(self, _: object) -> SignedRow | None:
        return self.checkpoints[max(self.checkpoints)] if self.checkpoints else None

    async def load_cosigned(self, _: object) -> SignedRow | None:
        return None

    async def load_signable(self, _: object, start: int, stop: int) -> list[tuple[int, bytes, bytes]]:
        rows = enumerate(self.bodies[start:stop], start)
        return [(idx, self.leaves.get(idx) or leaf_hash(body), body) for idx, body in rows if body != MISSING]

    async def insert_checkpoint(self, _: object, size: int, root: bytes, note: str, _now_ms: int) -> None:
        self.checkpoints[size] = SignedRow(size=size, root=root, note=note)


class PaperLedger:
    """`restart` forgets all that a process knows; the folder and the rows stay."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, disk: Disk) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.disk = disk
        self.rows = PaperRows([])
        monkeypatch.setattr(sign_head_module, "queries", self.rows)
        monkeypatch.setattr(sign_head_module, "acting", lambda pool, role: self.rows.acting(pool, role))
        self.restart()

    @property
    def public(self) -> Path:
        return self.folder / "public"

    def restart(self) -> None:
        self.signer = Signer(KEYS, self.folder / "log.key", disk=self.disk)
        self.tiles = TileWriter(FolderLogStore(self.public, self.disk), ORIGIN)

    def append(self, count: int, what: bytes = b"entry") -> None:
        start = len(self.rows.bodies)
        self.rows.bodies += [b"%s %d" % (what, n) for n in range(start, start + count)]

    async def sign(self) -> int:
        nothing: Any = None
        return await sign_head(nothing, self.signer, self.tiles, CLOCK)

    def published(self) -> Checkpoint | None:
        """Verified as an outsider would, against nothing but the files and the verifier key."""
        return verify_files(self.public, self.signer.key)


def frontier_of(bodies: list[bytes]) -> Frontier:
    frontier = Frontier()
    for body in bodies:
        frontier.append(leaf_hash(body))
    return frontier


def verify_files(public: Path, key: VerifierKey) -> Checkpoint | None:
    """The checkpoint that the folder shows, when every tile and entry of it is there and leads to its root.

    None for a log that is not published. Raises what the rules raise, or `AssertionError`.
    """
    if not (public / "checkpoint").exists():
        return None
    checkpoint = open_checkpoint((public / "checkpoint").read_text("utf-8"), key)
    tiles = {name: _read(public, name) for name in tiles_of(checkpoint.size)}
    hashes = {name: decode_tile(name, data) for name, data in tiles.items() if name.level is not None}
    for name, data in tiles.items():
        if name.level is None:
            leaves = tuple(map(leaf_hash, decode_bundle(name, data)))
            assert leaves == hashes[TileName(level=0, index=name.index, width=name.width)], name.path
        elif name.width == 256:
            above = next(each for each in hashes if each.level == name.level + 1 and each.index == name.index >> 8)
            assert hashes[above][name.index % 256] == subtree_root(hashes[name]), name.path
    row = [each for name in hashes if name.level == 0 for each in hashes[name]]
    root = root_of(checkpoint.size, lambda level, at: subtree_root(row[at << level : (at + 1) << level]))
    assert root == checkpoint.root, "the tiles' root is not the checkpoint's"
    return checkpoint


def _read(public: Path, name: TileName) -> bytes:
    if (public / name.path).exists():
        return (public / name.path).read_bytes()
    return first_part(name, (public / name.full_path).read_bytes())
