"""What a sample holds, counted from questions that ran and never from what was asked for."""

from collections.abc import Iterable

from msgspec import Struct

from .options import QUESTION_TYPES
from .sampling import Entry, Selection


class TypeCounts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    questions: int
    abstention: int


class Composition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    questions: int
    abstention: int
    by_type: dict[str, TypeCounts]
    """Types of which none ran are absent."""
    requested_questions: int
    requested_abstention_proportion: float | None
    """None where no share was asked for."""

    @property
    def abstention_proportion(self) -> float | None:
        """As it came about; None for an empty sample."""
        return self.abstention / self.questions if self.questions else None


def compose(ran: Iterable[Entry], selection: Selection, requested_proportion: float | None) -> Composition:
    counts: dict[str, list[int]] = {}
    for entry in ran:
        count = counts.setdefault(entry.question_type, [0, 0])
        count[0] += 1
        count[1] += entry.abstention
    return Composition(
        questions=sum(count[0] for count in counts.values()),
        abstention=sum(count[1] for count in counts.values()),
        by_type={
            name: TypeCounts(questions=counts[name][0], abstention=counts[name][1])
            for name in QUESTION_TYPES
            if name in counts
        },
        requested_questions=selection.requested,
        requested_abstention_proportion=requested_proportion,
    )
