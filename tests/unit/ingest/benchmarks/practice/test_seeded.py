from hypothesis import given
from hypothesis import strategies as st

from aml.ingest.benchmarks.practice.seeded import Seeded


def test_the_stream_is_the_same_for_ever() -> None:
    seeded = Seeded(7, "a")
    assert [seeded.below(1000) for _ in range(5)] == [195, 596, 341, 161, 39]


def test_named_streams_do_not_disturb_each_other() -> None:
    used, fresh = Seeded(7), Seeded(7)
    used.below(10)
    assert [used.at("x").below(10**9)] == [fresh.at("x").below(10**9)]
    assert fresh.at("x").below(10**9) != fresh.at("y").below(10**9)


@given(st.integers(), st.lists(st.integers(), max_size=30))
def test_shuffling_keeps_every_item_and_the_input(seed: int, items: list[int]) -> None:
    before = list(items)
    assert sorted(Seeded(seed).shuffled(items)) == sorted(items)
    assert items == before


@given(st.integers(), st.integers(1, 50))
def test_numbers_stay_below_their_bound(seed: int, bound: int) -> None:
    seeded = Seeded(seed)
    assert all(0 <= seeded.below(bound) < bound for _ in range(20))


def test_every_outcome_is_reached() -> None:
    seeded = Seeded(1)
    assert {seeded.below(6) for _ in range(200)} == set(range(6))
