import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.ingest.sampling import choose_questions

IDS = st.lists(st.text(min_size=1, max_size=12), max_size=40)
SEEDS = st.integers(-(2**40), 2**40)


def test_the_choice_is_the_same_for_ever() -> None:
    ids = [f"conv-{number}" for number in range(1000)]
    assert sorted(choose_questions(ids, 4, seed=7)) == ["conv-127", "conv-432", "conv-470", "conv-880"]


def test_no_limit_takes_all() -> None:
    assert choose_questions(["a", "b", "a"], None, seed=1) == {"a", "b"}


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="not negative: -1"):
        choose_questions(["a"], -1, seed=1)


@given(IDS, st.integers(0, 50), SEEDS)
def test_the_limit_is_met_from_the_given_ids(ids: list[str], limit: int, seed: int) -> None:
    chosen = choose_questions(ids, limit, seed)
    assert chosen <= set(ids)
    assert len(chosen) == min(limit, len(set(ids)))


@given(IDS, st.integers(0, 50), SEEDS, st.randoms(use_true_random=False))
def test_the_order_of_arrival_decides_nothing(ids: list[str], limit: int, seed: int, random: object) -> None:
    shuffled = sorted(ids, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert choose_questions(shuffled, limit, seed) == choose_questions(ids, limit, seed)


@given(IDS, st.integers(0, 40), SEEDS)
def test_a_larger_limit_only_adds(ids: list[str], limit: int, seed: int) -> None:
    assert choose_questions(ids, limit, seed) <= choose_questions(ids, limit + 1, seed)


def test_another_seed_chooses_others() -> None:
    ids = [f"q{number}" for number in range(1000)]
    assert choose_questions(ids, 20, seed=1) != choose_questions(ids, 20, seed=2)
