"""Which commitments an event cites."""

from collections.abc import Iterator
from typing import get_args, get_type_hints

from msgspec import Struct

from aml.contracts.envelope import EvidenceRef
from aml.contracts.events import Event
from aml.contracts.verdicts import AnswerScored
from aml.rules.entry import ReadEntry


class Citation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`score` and `rule` only for a verdict, which must say the same."""

    index: int
    size: int
    media_type: str
    field: str
    score: int | None = None
    rule: str | None = None


def _fields(kind: type[Struct]) -> tuple[str, ...]:
    hints = get_type_hints(kind)
    return tuple(name for name in kind.__struct_fields__ if EvidenceRef in (hints[name], *get_args(hints[name])))


REFERENCES: dict[type[Struct], tuple[str, ...]] = {kind: _fields(kind) for kind in get_args(Event)}


def references(event: Event) -> Iterator[tuple[str, EvidenceRef]]:
    """Field and commitment."""
    for name in REFERENCES[type(event)]:
        if (ref := getattr(event, name)) is not None:
            yield name, ref


def citations(entry: ReadEntry) -> Iterator[tuple[str, Citation]]:
    """Digest and where it is cited."""
    event = entry.event
    for name, ref in references(event):
        verdict = event if isinstance(event, AnswerScored) and name == "verdict" else None
        yield (
            ref.digest,
            Citation(
                index=entry.index,
                size=ref.size,
                media_type=ref.media_type,
                field=name,
                score=None if verdict is None else verdict.score,
                rule=None if verdict is None else verdict.rule,
            ),
        )
