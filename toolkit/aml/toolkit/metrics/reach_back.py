"""How far back an agent reaches: the score by the number of exchanges between a fact and its question.

After AgentEval's MemoryReachBackMetric: a depth is recalled from 80 on, and the drop from the first depth to the last names the
curve's shape. The reliable depth is ours: where the curve first breaks is what a window of N exchanges shows.
"""

from collections.abc import Iterable
from itertools import takewhile

from aml.toolkit.results.category import Depth, ReachBack, Shape
from aml.toolkit.results.question import QuestionRecord

from .scored_mean import mean, mean_score, scored

RECALLED = 80.0
_SHAPES: tuple[tuple[float, Shape], ...] = ((10.0, "stable"), (25.0, "gradual"), (50.0, "moderate"))


def reach_back(records: Iterable[QuestionRecord]) -> ReachBack | None:
    """None where no question with a depth was scored."""
    by_depth: dict[int, list[QuestionRecord]] = {}
    for record in scored(records):
        if record.depth is not None:
            by_depth.setdefault(record.depth, []).append(record)
    curve = tuple(_depth(depth, by_depth[depth]) for depth in sorted(by_depth))
    if not curve:
        return None
    reliable = [point.depth for point in takewhile(lambda point: point.recalled, curve)]
    drop = round(curve[0].score - curve[-1].score, 2)
    return ReachBack(
        curve=curve,
        reliable_depth=reliable[-1] if reliable else None,
        drop=drop,
        shape=next((shape for below, shape in _SHAPES if drop < below), "steep"),
    )


def reach_back_score(found: ReachBack | None) -> float | None:
    """The mean over depths: each counts the same, however many questions it had."""
    return None if found is None else mean([point.score for point in found.curve])


def _depth(depth: int, records: list[QuestionRecord]) -> Depth:
    score = mean_score(records)
    assert score is not None
    return Depth(depth=depth, scored=len(records), score=score, recalled=score >= RECALLED)
