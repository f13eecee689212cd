"""A category's score from its questions, by the category's own formula.

retention       mean score; passed from 80 (AgentEval's MemoryRetentionMetric)
temporal        mean over the questions that have a time of asking; passed from 75 (MemoryTemporalMetric)
reach-back      mean over depths; passed from 70 (`reach_back`)
noise           mean less the near misses; passed from 70 (`noise_resilience`)
reducer         weighted shares of facts; passed from 75 (`reducer_fidelity`)
cross-session   mean; passed from 80
the others      mean; passed from 70
"""

from collections.abc import Iterable

from aml.toolkit.results.category import PASSING, CategoryScore
from aml.toolkit.results.question import QuestionRecord

from .grades import grade_of
from .noise_resilience import noise_score
from .reach_back import reach_back, reach_back_score
from .reducer_fidelity import fidelity_score, preserved_shares
from .scored_mean import interval, mean_score, scored

_PASSING = {
    "basic_retention": 80.0,
    "temporal_reasoning": 75.0,
    "reducer_fidelity": 75.0,
    "cross_session": 80.0,
}


def score_category(category: str, weight: float, records: Iterable[QuestionRecord]) -> CategoryScore:
    """`records` are the category's own; at least one."""
    planned = list(records)
    counted = scored(planned)
    found = preserved = critical = None
    match category:
        case "reach_back":
            found = reach_back(counted)
            score = reach_back_score(found)
        case "noise_resilience":
            score = noise_score(counted)
        case "reducer_fidelity":
            preserved, critical = preserved_shares(counted)
            score = fidelity_score(preserved, critical)
        case "temporal_reasoning":
            counted = [record for record in counted if record.asked_on is not None]
            score = mean_score(counted)
        case _:
            score = mean_score(counted)
    low, high = interval(score, len(counted))
    return CategoryScore(
        category=category,
        weight=weight,
        planned=len(planned),
        scored=len(scored(planned)),
        unscored=sum(record.score is None for record in planned),
        score=score,
        low=low,
        high=high,
        passing=_PASSING.get(category, PASSING),
        grade=None if score is None else grade_of(score),
        preserved=preserved,
        critical=critical,
        forbidden=sum(len(record.forbidden) for record in counted),
        reach_back=found,
    )
