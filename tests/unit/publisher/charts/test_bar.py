import pytest

from aml.publisher.charts import score_bar


@pytest.mark.parametrize(("score", "width"), [(0, "0"), (500_000, "66"), (1_000_000, "132")])
def test_a_bar_is_as_long_as_its_score(score: int, width: str) -> None:
    assert f'class="bar-fill" x="0" y="3" width="{width}"' in score_bar(score, max(0, score - 1), score)
