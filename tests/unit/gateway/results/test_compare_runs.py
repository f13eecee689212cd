"""Two runs side by side: counts from the cells, and only datasets of the same bytes."""

import msgspec

from aml.contracts.jobs import DatasetPin
from aml.gateway.results.compare_runs import comparison_of, shared_datasets
from aml.gateway.results.comparison_queries import Cell


def a_cell(before: str | None, now: str | None, change: int | None, questions: int) -> Cell:
    return Cell(before_outcome=before, outcome=now, change=change, questions=questions)


def test_every_question_that_both_were_asked_is_counted_once() -> None:
    found = comparison_of(
        [
            a_cell("correct", "correct", 0, 50),
            a_cell("correct", "incorrect", -1, 8),
            a_cell("incorrect", "correct", 1, 2),
            a_cell("incorrect", "incorrect", 0, 10),
            a_cell("graded", "graded", -1, 4),
            a_cell("graded", "correct", 1, 3),
            a_cell("correct", "unscored", None, 5),
            a_cell("unscored", "correct", None, 6),
            a_cell("correct", None, None, 1),
        ]
    )

    assert (found.common, found.scored_in_both) == (89, 77)
    assert (found.regressions, found.improvements) == (12, 5)
    assert (found.unscored_now, found.unscored_before) == (6, 6)
    pairs = found.mcnemar
    assert (pairs.pairs, pairs.both_right, pairs.only_before, pairs.only_now, pairs.both_wrong) == (70, 50, 8, 2, 10)
    assert pairs.p_value == 109_375  # 112/1024: the exact binomial


def test_only_the_same_bytes_are_compared() -> None:
    def pins(**digests: str) -> bytes:
        return msgspec.json.encode(
            [DatasetPin(name=name, adapter="practice", version="1", sha256=sha * 64) for name, sha in digests.items()]
        )

    assert shared_datasets(pins(a="1", b="2", c="3"), pins(b="2", c="4", d="5")) == ["b"]
