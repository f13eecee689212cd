"""The gate on a job's chain: nothing is missing, moved or swapped between its first entry and its seal."""

from collections.abc import Sequence

from aml.contracts.envelope import JobFact
from aml.contracts.seals import GateCheck, JobSealed

from .entry import ReadEntry
from .gate_check import Finding, equal, passed, refused


def check_chain(entries: Sequence[ReadEntry], sealed: ReadEntry, seal: JobSealed) -> list[GateCheck]:
    return [_chain(entries, seal.job_id), _seal(entries, sealed, seal), _state(seal, sealed.index)]


def _chain(entries: Sequence[ReadEntry], job_id: str) -> GateCheck:
    expected = "each entry follows the one before"
    previous: ReadEntry | None = None
    for position, entry in enumerate(entries):
        problem: str | None = None
        if not isinstance(entry.event, JobFact) or entry.event.job_id != job_id:
            problem, code = f"entry {entry.index} is not of this job", "foreign_entry"
        elif entry.job_seq != position:
            problem, code = f"entry {entry.index} has sequence {entry.job_seq}, not {position}", "chain_gap"
        elif entry.prev != (previous.leaf if previous is not None else None):
            problem, code = f"entry {entry.index} does not name the leaf before it", "chain_broken"
        elif previous is not None and entry.index <= previous.index:
            problem, code = f"entry {entry.index} stands before entry {previous.index}", "chain_order"
        if problem is not None:
            return refused("chain", Finding(code, expected, problem, [entry.index]))
        previous = entry
    return passed(
        "chain", expected, f"{len(entries)} entries", [entries[0].index, entries[-1].index] if entries else []
    )


def _seal(entries: Sequence[ReadEntry], sealed: ReadEntry, seal: JobSealed) -> GateCheck:
    """Facts that arrived between the decision to seal and the seal stand in the chain and do not count."""
    expected = f"{seal.entries} entries, the last {seal.last_leaf}"
    before = [entry for entry in entries if entry.index < sealed.index]
    if not 0 < seal.entries <= len(before):
        return refused("seal", Finding("seal_count", expected, f"{len(before)} entries before it", [sealed.index]))
    last = before[seal.entries - 1]
    if last.leaf != seal.last_leaf:
        found = f"{seal.entries} entries, the last {last.leaf}"
        return refused("seal", Finding("seal_leaf", expected, found, [last.index, sealed.index]))
    return passed("seal", expected, expected, [last.index, sealed.index])


def _state(seal: JobSealed, index: int) -> GateCheck:
    return equal("state", f"job_{seal.state}", "completed", seal.state, [index])
