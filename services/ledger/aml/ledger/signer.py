"""Signs the log's head, and remembers what it signed last. The signer believes nobody: not the sequencer, not the database.

`<key_file>.state`, 0600, holds the last size, root and right edge of the tree that were signed. It is durable before a
signature leaves, so that after any crash or restore two roots of one size, or a smaller size, cannot be signed.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from aml.rules.checkpoint import Checkpoint, VerifierKey, checkpoint_text, sign_note
from aml.rules.merkle import Frontier

from .disk import Disk
from .durable_file import DISK, replace_private_file
from .errors import LogForked, LogWentBack, SignerKeyInvalid
from .log_keys import SigningKey, generate_keys, published_keys, read_keys


class SignedHead(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    origin: str
    size: int
    root: str
    frontier: str
    """Hex of `Frontier.to_bytes()`."""


class Signer:
    def __init__(self, keys: Sequence[SigningKey], key_file: Path, *, disk: Disk = DISK) -> None:
        """`keys`: the current one first. They are read again when `key_file` changes."""
        self._keys = tuple(keys)
        self._read_version: tuple[int, int, int] | None = None
        self.key_file = key_file
        self._state_file = Path(f"{key_file}.state")
        self._disk = disk

    @classmethod
    def from_file(cls, key_file: Path, origin: str, *, disk: Disk = DISK) -> "Signer":
        """Makes the key on first use. Raises `SignerKeyInvalid` for a key of another log, or one that others may read."""
        return cls(generate_keys(key_file, origin), key_file, disk=disk)

    @property
    def key(self) -> VerifierKey:
        """What readers should verify with. During a rotation the older key signs, too."""
        return self._keys[0].key

    def every_key(self) -> tuple[VerifierKey, ...]:
        """Also those that sign no more: what they signed stays valid."""
        return published_keys(self.key_file)

    def last_signed(self) -> Frontier:
        """Read from the file each time: two ledgers of one machine share it. The empty tree when nothing was signed."""
        try:
            data = self._state_file.read_bytes()
        except FileNotFoundError:
            return Frontier()
        try:
            state = msgspec.json.decode(data, type=SignedHead)
            frontier = Frontier.from_bytes(state.size, bytes.fromhex(state.frontier))
        except (msgspec.MsgspecError, ValueError) as error:
            raise SignerKeyInvalid(self._state_file, f"is damaged: {error}") from None
        if state.origin != self.key.name or frontier.root().hex() != state.root:
            raise SignerKeyInvalid(self._state_file, "does not belong to this log")
        return frontier

    def sign(self, grown: Frontier) -> str:
        """The checkpoint's note. `grown` is what the signer itself computed from `last_signed` and the rows it read.

        Raises `LogWentBack` or `LogForked` when that is no continuation of what was signed last.
        """
        last = self.last_signed()
        if grown.size < last.size:
            raise LogWentBack(last.size, grown.size)
        if grown.size == last.size and grown.root() != last.root():
            raise LogForked(grown.size, "another root of this size was signed before")
        if grown.size > last.size:
            state = SignedHead(
                origin=self.key.name, size=grown.size, root=grown.root().hex(), frontier=grown.to_bytes().hex()
            )
            replace_private_file(self._state_file, msgspec.json.encode(state).decode(), disk=self._disk)
        text = checkpoint_text(Checkpoint(origin=self.key.name, size=grown.size, root=grown.root()))
        note, *others = (sign_note(text, each.key, each.private_key.sign) for each in self._newest_keys())
        return note + "".join(other.removeprefix(f"{text}\n") for other in others)

    def _newest_keys(self) -> tuple[SigningKey, ...]:
        """A rotation takes effect at the next checkpoint, without a restart. Raises `SignerKeyInvalid`."""
        try:
            version = _version_of(self.key_file)
        except FileNotFoundError:
            return self._keys
        if version != self._read_version:
            self._keys = read_keys(self.key_file, self.key.name)
            self._read_version = version
        return self._keys


def _version_of(key_file: Path) -> tuple[int, int, int]:
    """Each change is a new file in the old one's place. Its time alone may be the same: the clock of files ticks in 4 ms."""
    found = key_file.stat()
    return found.st_mtime_ns, found.st_ino, found.st_size
