"""How an agent stands noise: a scenario's mean score, less 5 points for each near miss that it asserted.

After AgentEval's MemoryNoiseResilienceMetric, `max(0, overall - 5 x forbidden)`, taken a scenario, so that a suite with more
scenarios is not punished more for the same behaviour.
"""

from collections.abc import Iterable

from aml.toolkit.results.question import QuestionRecord

from .scored_mean import mean, mean_score, scored

POINTS_A_FORBIDDEN = 5.0


def noise_score(records: Iterable[QuestionRecord]) -> float | None:
    by_scenario: dict[tuple[str, int], list[QuestionRecord]] = {}
    for record in scored(records):
        by_scenario.setdefault((record.scenario, record.repeat), []).append(record)
    return mean([_scenario_score(each) for each in by_scenario.values()])


def _scenario_score(records: list[QuestionRecord]) -> float:
    score = mean_score(records)
    assert score is not None
    return max(0.0, score - POINTS_A_FORBIDDEN * sum(len(record.forbidden) for record in records))
