"""A row is shown only when the log proves it: signed checkpoint, inclusion proof, and the very event of the stream."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from aml.contracts.boards import LogPosition
from aml.contracts.events import encode_event
from aml.contracts.seals import GatePassed
from aml.rules.checkpoint import Checkpoint, NoteInvalid, VerifierKey, open_checkpoint
from aml.rules.entry import EntryInvalid, read_entry
from aml.rules.merkle import ProofInvalid, verify_consistency
from aml.rules.verify import LogInvalid, verify_entry
from aml.rules.witness_policy import QuorumMissing, WitnessPolicy, require_quorum

from .errors import CheckpointRejected, EntryPending, RowRejected


class Log(Protocol):
    """What is asked of the ledger. All may raise `LedgerUnavailable`."""

    async def checkpoint(self, size: int | None = None) -> str:
        """The latest signed note, or the one for `size` where the ledger still has it (else again the latest)."""
        ...

    async def gate_entry(self, job_id: str) -> bytes | None:
        """The canonical bytes of the job's GatePassed entry; None while the log has none."""
        ...

    async def proof(self, index: int, size: int) -> tuple[bytes, ...]:
        """The audit path of leaf `index` in the tree of `size` leaves."""
        ...

    async def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        """That the tree of `new` leaves begins with the tree of `old` leaves."""
        ...


class SignedCheckpoint(Struct, frozen=True, kw_only=True):
    note: str
    checkpoint: Checkpoint

    @property
    def size(self) -> int:
        return self.checkpoint.size

    @property
    def root(self) -> str:
        return self.checkpoint.root.hex()


class VerifiedRow(Struct, frozen=True, kw_only=True):
    entry: str
    """The leaf's canonical text, from which anyone can compute it again."""
    position: LogPosition


class Witnessing(Struct, frozen=True, kw_only=True):
    """Whose cosignatures a checkpoint needs, and what time it is: none may come from the future."""

    policy: WitnessPolicy
    now_s: int


def accept_checkpoint(
    note: str, key: VerifierKey, *, known: Sequence[tuple[int, str]] = (), witnessing: Witnessing | None = None
) -> SignedCheckpoint:
    """`known` are (size, root) pairs of checkpoints that boards were published under. Raises `CheckpointRejected`."""
    try:
        checkpoint = open_checkpoint(note, key)
        if witnessing is not None:
            require_quorum(note, witnessing.policy, now_s=witnessing.now_s)
    except NoteInvalid as error:
        raise CheckpointRejected(error.problem) from None
    except QuorumMissing as error:
        raise CheckpointRejected(str(error)) from None
    for size, root in known:
        if checkpoint.size < size:
            raise CheckpointRejected(f"it covers {checkpoint.size} entries, and {size} were published under already")
        if checkpoint.size == size and checkpoint.root.hex() != root:
            raise CheckpointRejected(f"it has another root for {size} entries than was published")
    return SignedCheckpoint(note=note, checkpoint=checkpoint)


async def require_growth(log: Log, signed: SignedCheckpoint, *, size: int, root: str) -> None:
    """That the log only grew since a checkpoint that was published under. Raises `CheckpointRejected`."""
    if not 0 < size < signed.size:
        return
    proof = await log.consistency(size, signed.size)
    try:
        verify_consistency(
            old=size, new=signed.size, old_root=bytes.fromhex(root), new_root=signed.checkpoint.root, proof=proof
        )
    except ProofInvalid as error:
        raise CheckpointRejected(f"the log was rewritten since it had {size} entries: {error.problem}") from None


async def verify_row(log: Log, signed: SignedCheckpoint, gate: GatePassed, entry: bytes | None) -> VerifiedRow:
    """`entry` is the one found earlier, if any. Raises `EntryPending`, `RowRejected` or `LedgerUnavailable`."""
    data = entry if entry is not None else await log.gate_entry(gate.job_id)
    if data is None:
        raise EntryPending(gate.job_id)
    try:
        index = read_entry(data).index
    except EntryInvalid as error:
        raise RowRejected(gate.job_id, error.problem) from None
    if index >= signed.size:
        raise EntryPending(gate.job_id)
    return judge_row(signed, gate, data, await log.proof(index, signed.size))


def judge_row(signed: SignedCheckpoint, gate: GatePassed, data: bytes, proof: Sequence[bytes]) -> VerifiedRow:
    """The pure check. Raises `RowRejected`."""
    try:
        entry = verify_entry(signed.checkpoint, data, proof)
    except LogInvalid as error:
        raise RowRejected(gate.job_id, str(error)) from None
    if not isinstance(entry.event, GatePassed) or encode_event(entry.event) != encode_event(gate):
        raise RowRejected(gate.job_id, f"entry {entry.index} holds another event than the stream")
    return VerifiedRow(
        entry=data.decode(),
        position=LogPosition(
            index=entry.index,
            leaf=entry.leaf,
            tree_size=signed.size,
            root=signed.root,
            proof=tuple(step.hex() for step in proof),
        ),
    )
