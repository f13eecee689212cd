"""Results that others published for the same benchmark, to be set beside ours: for orientation, since models, prompts and judges
differ."""

from msgspec import Struct


class ReferenceRow(Struct, frozen=True, kw_only=True):
    label: str
    overall: float
    """0 to 100."""
    questions: int
    source: str
    """A citation that a reader can follow."""
