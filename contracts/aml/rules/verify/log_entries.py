"""Entries against a checkpoint: the whole log by its root, or one entry by its proof."""

from collections.abc import Iterable, Sequence

from aml.rules.checkpoint import Checkpoint
from aml.rules.entry import EntryInvalid, ReadEntry, read_entry
from aml.rules.merkle import Frontier, ProofInvalid, leaf_hash, verify_inclusion


class LogInvalid(Exception):
    """The log is not what its checkpoint says. `index` is the first entry that is wrong, where one can be named."""

    def __init__(self, problem: str, index: int | None = None) -> None:
        super().__init__(problem if index is None else f"entry {index}: {problem}")
        self.problem = problem
        self.index = index


def verify_entries(checkpoint: Checkpoint, entries: Iterable[bytes]) -> list[ReadEntry]:
    """Every entry of the log from 0 on, read and hashed; their root must be the checkpoint's. Raises `LogInvalid`."""
    frontier = Frontier()
    found: list[ReadEntry] = []
    for index, data in enumerate(entries):
        try:
            entry = read_entry(data)
        except EntryInvalid as error:
            raise LogInvalid(error.problem, index) from None
        if entry.index != index:
            raise LogInvalid(f"says that it is entry {entry.index}", index)
        frontier.append(bytes.fromhex(entry.leaf))
        found.append(entry)
    if frontier.size != checkpoint.size:
        raise LogInvalid(f"the checkpoint covers {checkpoint.size} entries, and there are {frontier.size}")
    if frontier.root() != checkpoint.root:
        raise LogInvalid("the entries' root is not the checkpoint's")
    return found


def verify_entry(checkpoint: Checkpoint, data: bytes, proof: Sequence[bytes]) -> ReadEntry:
    """One entry and its proof against a checkpoint. Raises `LogInvalid`."""
    try:
        entry = read_entry(data)
    except EntryInvalid as error:
        raise LogInvalid(error.problem) from None
    try:
        verify_inclusion(
            index=entry.index, size=checkpoint.size, leaf=leaf_hash(data), proof=proof, root=checkpoint.root
        )
    except ProofInvalid as error:
        raise LogInvalid(error.problem, entry.index) from None
    return entry
