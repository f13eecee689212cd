import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.rules.shared_ranks import Standing, shared_ranks


def at(score: int, margin: int = 0) -> Standing:
    return Standing(score=score, low=max(0, score - margin), high=min(1_000_000, score + margin))


@st.composite
def fields(draw: st.DrawFn) -> list[Standing]:
    """Few distinct values, so that ties and touching ends happen."""
    scores = draw(st.lists(st.integers(0, 20), max_size=12))
    rows = [
        Standing(score=each, low=max(0, each - draw(st.integers(0, 6))), high=min(20, each + draw(st.integers(0, 6))))
        for each in scores
    ]
    return sorted(rows, key=lambda row: -row.score)


def test_rows_that_reach_the_leaders_interval_share_its_rank() -> None:
    rows = [at(800_000, 20_000), at(790_000, 20_000), at(761_000, 20_000), at(700_000, 20_000)]

    assert shared_ranks(rows) == [1, 1, 1, 4]


def test_a_group_is_measured_at_its_leader_and_does_not_creep_down_a_chain() -> None:
    rows = [at(800_000, 20_000), at(765_000, 20_000), at(730_000, 20_000), at(695_000, 20_000)]

    assert shared_ranks(rows) == [1, 1, 3, 3]


def test_ends_that_touch_overlap() -> None:
    assert shared_ranks([at(800_000, 10_000), at(780_000, 10_000)]) == [1, 1]
    assert shared_ranks([at(800_000, 10_000), at(779_999, 10_000)]) == [1, 2]


def test_without_uncertainty_only_equal_scores_share() -> None:
    assert shared_ranks([at(9), at(9), at(8), at(7)]) == [1, 1, 3, 4]


def test_nothing_has_no_ranks() -> None:
    assert shared_ranks([]) == []


def test_another_order_is_refused() -> None:
    with pytest.raises(ValueError, match="descending"):
        shared_ranks([at(1), at(2)])


@given(fields())
def test_equal_scores_share_and_no_rank_is_worse_than_the_strict_one(rows: list[Standing]) -> None:
    found = shared_ranks(rows)
    strict = [1 + sum(other.score > row.score for other in rows) for row in rows]

    assert all(
        a == b
        for row, a in zip(rows, found, strict=True)
        for other, b in zip(rows, found, strict=True)
        if row.score == other.score
    )
    assert all(shared <= own for shared, own in zip(found, strict, strict=True))
    assert found == sorted(found)


@given(fields())
def test_whoever_has_a_rank_of_its_own_stays_below_the_leader_before(rows: list[Standing]) -> None:
    found = shared_ranks(rows)

    for place, rank in enumerate(found):
        leaders = [row for row, each in zip(rows, found, strict=True) if each == rank]
        leaders = [row for row in leaders if row.score == leaders[0].score]
        if place and found[place - 1] != rank:
            before = [row for row, each in zip(rows, found, strict=True) if each == found[place - 1]]
            heads = [row for row in before if row.score == before[0].score]
            assert max(row.high for row in leaders) < min(row.low for row in heads)
            assert rank == place + 1


@given(fields(), st.randoms())
def test_the_order_of_equal_rows_changes_nothing(rows: list[Standing], random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    shuffled.sort(key=lambda row: -row.score)

    assert sorted(zip([r.score for r in rows], shared_ranks(rows), strict=True)) == sorted(
        zip([r.score for r in shuffled], shared_ranks(shuffled), strict=True)
    )
