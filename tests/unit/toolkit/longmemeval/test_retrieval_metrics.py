import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.toolkit.longmemeval.retrieval_metrics import ndcg, ndcg_lme_compat, recall_all, recall_any, retrieval_metrics

IDS = st.sampled_from("abcdefgh")
RANKED = st.lists(IDS, unique=True)
RELEVANT = st.frozensets(IDS, min_size=1)


def test_any_and_all_differ_where_a_part_is_found() -> None:
    assert (recall_any("abc", {"a", "z"}, 3), recall_all("abc", {"a", "z"}, 3)) == (1.0, 0.0)


def test_standard_ndcg_by_hand() -> None:
    assert ndcg("xa", {"a"}, 2) == pytest.approx(1 / math.log2(3))
    assert ndcg("axb", {"a", "b"}, 3) == pytest.approx((1 + 0.5) / (1 + 1 / math.log2(3)))


def test_the_benchmark_s_own_ndcg_does_not_discount_the_second_place() -> None:
    assert ndcg_lme_compat("xa", {"a"}, 2) == 1.0
    assert ndcg_lme_compat("xya", {"a"}, 3) == pytest.approx(1 / math.log2(3))


def test_an_id_that_comes_again_counts_once() -> None:
    assert retrieval_metrics("aaab", {"a", "b"}, 2) == retrieval_metrics("ab", {"a", "b"}, 2)


@given(RANKED, RELEVANT, st.integers(1, 10))
def test_all_are_between_0_and_1_and_all_implies_any(ranked: list[str], relevant: frozenset[str], k: int) -> None:
    found = retrieval_metrics(ranked, relevant, k)
    assert all(0 <= value <= 1 for value in (found.recall_any, found.recall_all, found.ndcg, found.ndcg_lme_compat))
    assert found.recall_all <= found.recall_any
    assert (found.ndcg > 0) == (found.ndcg_lme_compat > 0) == (found.recall_any > 0)


@given(RANKED, RELEVANT, st.integers(1, 9))
def test_recall_does_not_fall_with_k(ranked: list[str], relevant: frozenset[str], k: int) -> None:
    assert recall_any(ranked, relevant, k) <= recall_any(ranked, relevant, k + 1)
    assert recall_all(ranked, relevant, k) <= recall_all(ranked, relevant, k + 1)


@given(RELEVANT, st.lists(st.sampled_from("stuvw"), unique=True), st.integers(1, 10))
def test_the_best_ranking_has_ndcg_1(relevant: frozenset[str], others: list[str], k: int) -> None:
    ranked = [*sorted(relevant), *others]
    assert ndcg(ranked, relevant, k) == ndcg_lme_compat(ranked, relevant, k) == pytest.approx(1)


@pytest.mark.parametrize(("relevant", "k"), [(set(), 1), ({"a"}, 0)])
def test_what_has_no_answer_is_refused(relevant: set[str], k: int) -> None:
    with pytest.raises(ValueError, match=r"relevant|place"):
        recall_any("a", relevant, k)
