"""Whether a witness cosigns: the request's form, the log's signature, and growth from what was cosigned last. Pure.

Source: https://c2sp.org/tlog-witness, section add-checkpoint.
"""

import base64
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from aml.rules.checkpoint import Checkpoint, NoteInvalid, VerifierKey, parse_checkpoint, parse_note, verify_note
from aml.rules.merkle import EMPTY_ROOT, HASH_BYTES, ProofInvalid, verify_consistency

from .errors import CheckpointRefused

LogKeys = Mapping[str, Sequence[VerifierKey]]
"""Origin to the keys that are trusted for it: more than one during a rotation."""

MAX_BODY_BYTES = 64 * 1024
_OLD = re.compile(r"old (0|[1-9][0-9]{0,18})")
_MAX_PROOF_LINES = 63


class Seen(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the witness cosigned last of one log."""

    origin: str
    size: int
    root: str
    """Lower-case hex."""


class AddCheckpoint(Struct, frozen=True, kw_only=True):
    old: int
    proof: tuple[bytes, ...]
    note: str
    checkpoint: Checkpoint
    """Not verified yet."""

    @property
    def seen(self) -> Seen:
        return Seen(origin=self.checkpoint.origin, size=self.checkpoint.size, root=self.checkpoint.root.hex())


def read_request(body: bytes) -> AddCheckpoint:
    """Raises `CheckpointRefused` (400)."""
    if len(body) > MAX_BODY_BYTES:
        raise CheckpointRefused(400, f"the body has more than {MAX_BODY_BYTES} bytes")
    try:
        head, blank, note = body.decode().partition("\n\n")
        checkpoint = parse_checkpoint(parse_note(note).text)
    except (UnicodeDecodeError, NoteInvalid) as error:
        raise CheckpointRefused(400, f"the body holds no checkpoint: {error}") from None
    first, *lines = head.split("\n")
    found = _OLD.fullmatch(first)
    if not blank or found is None or len(lines) > _MAX_PROOF_LINES:
        raise CheckpointRefused(400, f"the body begins with `old <size>` and at most {_MAX_PROOF_LINES} hashes")
    return AddCheckpoint(old=int(found[1]), proof=tuple(map(_hash, lines)), note=note, checkpoint=checkpoint)


def require_known_log(request: AddCheckpoint, logs: LogKeys) -> None:
    """Raises `CheckpointRefused`: 404 for a log that is not watched, 403 for one whose signature does not verify."""
    keys = logs.get(request.checkpoint.origin)
    if keys is None:
        raise CheckpointRefused(404, "this witness does not watch that log")
    try:
        verify_note(request.note, keys)
    except NoteInvalid as error:
        raise CheckpointRefused(403, error.problem) from None


def require_growth(request: AddCheckpoint, seen: Seen | None) -> None:
    """Raises `CheckpointRefused`: 400 or 409 for sizes, 409 for a fork, 422 for a proof that does not hold."""
    new = request.checkpoint
    known_size = seen.size if seen is not None else 0
    if request.old > new.size:
        raise CheckpointRefused(400, f"the old size {request.old} is above the checkpoint's {new.size}")
    if request.old != known_size:
        raise CheckpointRefused(409, f"this witness has seen {known_size} entries", known_size)
    if request.old == new.size and bytes.fromhex(seen.root if seen is not None else EMPTY_ROOT.hex()) != new.root:
        raise CheckpointRefused(409, f"another root of {new.size} entries was cosigned: the log has forked", known_size)
    if request.old in (0, new.size):
        if request.proof:
            raise CheckpointRefused(422, "nothing is to be proved here, and there is a proof")
        return
    assert seen is not None
    try:
        verify_consistency(
            old=request.old,
            new=new.size,
            old_root=bytes.fromhex(seen.root),
            new_root=new.root,
            proof=request.proof,
        )
    except ProofInvalid as error:
        raise CheckpointRefused(422, error.problem) from None


def _hash(line: str) -> bytes:
    try:
        data = base64.b64decode(line, validate=True)
    except ValueError:
        data = b""
    if len(data) != HASH_BYTES:
        raise CheckpointRefused(400, f"a proof line is not the base64 of {HASH_BYTES} bytes")
    return data
