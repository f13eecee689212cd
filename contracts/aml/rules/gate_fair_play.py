"""What the gate passes on to the reviewer about fair play. These checks always pass: they inform, and refuse nobody.

Codes: `ok`; `flagged`, look at the named entries; `leaked`, a canary came back to another user; `not_probed`, none was
answered.
"""

from collections import Counter
from collections.abc import Sequence

from aml.contracts.fair_play import IsolationProbed, SearchFlagged
from aml.contracts.jobs import JobRequested
from aml.contracts.seals import GateCheck

from .entry import ReadEntry
from .gate_check import Finding, noted, passed

_NOTHING_FLAGGED = "nothing flagged in what Search returned"
_KEPT = "every canary stays with its user"


def check_fair_play(request: JobRequested, inside: Sequence[ReadEntry]) -> list[GateCheck]:
    """`inside` are the entries that the seal closes."""
    if request.arm != "participant":
        return []
    return [_flags(inside), _isolation(request, inside)]


def _flags(inside: Sequence[ReadEntry]) -> GateCheck:
    items: Counter[str] = Counter()
    indices: list[int] = []
    for entry in inside:
        if isinstance(entry.event, SearchFlagged):
            indices.append(entry.index)
            for flag in entry.event.flags:
                items[flag.kind] += flag.items
    if not indices:
        return passed("fair_play", _NOTHING_FLAGGED, _NOTHING_FLAGGED, _request(inside))
    counted = ", ".join(f"{kind} {count}" for kind, count in sorted(items.items()))
    found = f"{len(indices)} questions with flagged items: {counted}"
    return noted("fair_play", Finding("flagged", _NOTHING_FLAGGED, found, indices))


def _isolation(request: JobRequested, inside: Sequence[ReadEntry]) -> GateCheck:
    if request.mode != "full":
        return passed("isolation", _KEPT, f"not probed in mode {request.mode}", _request(inside))
    probes = [(entry.index, entry.event) for entry in inside if isinstance(entry.event, IsolationProbed)]
    leaked = [index for index, probe in probes if probe.outcome == "leaked"]
    kept = [index for index, probe in probes if probe.outcome == "kept"]
    if leaked:
        found = f"{len(leaked)} of {len(probes)} canaries came back under another user's id"
        return noted("isolation", Finding("leaked", _KEPT, found, leaked))
    if not kept:
        looked_at = [index for index, _ in probes] or _request(inside)
        return noted("isolation", Finding("not_probed", _KEPT, f"{len(probes)} probes, none answered", looked_at))
    return passed("isolation", _KEPT, f"{len(kept)} canaries stayed with their users", kept)


def _request(inside: Sequence[ReadEntry]) -> list[int]:
    """What is looked at where there is nothing: a job's first entry asks for it."""
    return [entry.index for entry in inside[:1]]
