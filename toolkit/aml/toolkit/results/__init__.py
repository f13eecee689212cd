"""What a suite's run came to: shapes, and their JSON."""

from .category import Axis, CategoryScore, Depth, ReachBack
from .expectation import Expectation
from .expectation_failure import MemoryAssertionError
from .provenance import Provenance
from .question import EvidenceSession, FactRecord, QuestionRecord, Unscored
from .suite_result import Latency, Spread, SuiteResult

__all__ = [
    "Axis",
    "CategoryScore",
    "Depth",
    "EvidenceSession",
    "Expectation",
    "FactRecord",
    "Latency",
    "MemoryAssertionError",
    "Provenance",
    "QuestionRecord",
    "ReachBack",
    "Spread",
    "SuiteResult",
    "Unscored",
]
