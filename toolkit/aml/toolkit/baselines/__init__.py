"""Results kept to compare later ones with."""

from .baseline import Baseline
from .comparison import CategoryDifference, Comparison, Incomparable, compare
from .store import BaselineBroken, BaselineMissing, BaselineStore, LabelUnusable

__all__ = [
    "Baseline",
    "BaselineBroken",
    "BaselineMissing",
    "BaselineStore",
    "CategoryDifference",
    "Comparison",
    "Incomparable",
    "LabelUnusable",
    "compare",
]
