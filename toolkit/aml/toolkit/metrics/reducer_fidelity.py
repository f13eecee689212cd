"""What of the facts survives compaction: 0.7 x the share of all facts + 0.3 x the share of the critical ones.

After AgentEval's MemoryReducerFidelityMetric; critical is an importance of 80 or more. Without critical facts the first share
stands alone.
"""

from collections.abc import Iterable

from aml.toolkit.results.question import FactRecord, QuestionRecord

from .scored_mean import DIGITS, scored

ALL_WEIGHT, CRITICAL_WEIGHT = 0.7, 0.3


def preserved_shares(records: Iterable[QuestionRecord]) -> tuple[float | None, float | None]:
    """Of all facts and of the critical ones, 0 to 100; None where there are none."""
    facts = [fact for record in scored(records) for fact in record.facts]
    return _share(facts), _share([fact for fact in facts if fact.critical])


def fidelity_score(preserved: float | None, critical: float | None) -> float | None:
    if preserved is None or critical is None:
        return preserved
    return round(ALL_WEIGHT * preserved + CRITICAL_WEIGHT * critical, DIGITS)


def _share(facts: list[FactRecord]) -> float | None:
    return round(100 * sum(fact.said for fact in facts) / len(facts), DIGITS) if facts else None
