"""A result's fingerprint: how each question went, in a form that compares with another result's and tells nothing else.

One byte a question: SHA-256 over how it went, cut to 8 bits, so a byte fits every 256th possible course and gives none of
them away. Two results that have nothing in common agree on one byte in 256; the threshold for a duplicate is far from that.
Names of units are hashes, so the lowest names are a sample that is the same for every result and that nobody can choose.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterable, Mapping
from typing import Final

from aml.contracts.events import Event
from aml.contracts.seals import OutcomeSketch

from .fair_play import Trace, traces_of

SAMPLED: Final = 2_048
"""Questions with a byte of their own; more of them would not make a share of them more certain than ± 1 %."""
_MARK_TAG: Final = b"aml.outcome.mark.v1\x00"
_EXACT_TAG: Final = b"aml.outcome.exact.v1\x00"
_UNITS_TAG: Final = b"aml.outcome.units.v1\x00"


def sketch_of(events: Iterable[Event]) -> OutcomeSketch | None:
    """Over the questions that were searched, answered and scored; None where there is none."""
    return sketch_of_traces(traces_of(events))


def sketch_of_traces(traces: Mapping[str, Trace]) -> OutcomeSketch | None:
    if not traces:
        return None
    units = sorted(traces)
    sampled = units[:SAMPLED]
    exact = hashlib.sha256(_EXACT_TAG)
    for unit in units:
        exact.update(_course(unit, traces[unit]))
    marks = bytes(hashlib.sha256(_MARK_TAG + _course(unit, traces[unit])).digest()[0] for unit in sampled)
    return OutcomeSketch(
        questions=len(units),
        units=hashlib.sha256(_UNITS_TAG + "\n".join(units).encode()).hexdigest(),
        exact=exact.hexdigest(),
        marks=base64.b64encode(marks).decode(),
    )


def sketch_likeness(one: OutcomeSketch, other: OutcomeSketch) -> int | None:
    """Millionths of the sampled questions that went alike, as `fair_play.likeness` has it of the whole entries.

    None where the two answered different questions, or one of them is no sketch.
    """
    if one.units != other.units:
        return None
    if one.exact == other.exact:
        return 1_000_000
    mine, theirs = _marks(one), _marks(other)
    if not mine or len(mine) != len(theirs):
        return None
    return sum(a == b for a, b in zip(mine, theirs, strict=True)) * 1_000_000 // len(mine)


def _course(unit: str, trace: Trace) -> bytes:
    return f"{unit} {trace.score} {trace.returned} {trace.context_items} {trace.prompt_tokens}\n".encode()


def _marks(sketch: OutcomeSketch) -> bytes:
    try:
        return base64.b64decode(sketch.marks, validate=True)
    except (binascii.Error, ValueError):
        return b""
