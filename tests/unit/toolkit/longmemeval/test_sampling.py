import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aml.toolkit.longmemeval.options import QUESTION_TYPES, LongMemEvalOptions
from aml.toolkit.longmemeval.sampling import Entry, allot, select

SIZES = dict(zip(QUESTION_TYPES, (70, 56, 30, 133, 133, 78), strict=True))
ABSTENTION = dict(zip(QUESTION_TYPES, (6, 0, 0, 12, 6, 6), strict=True))


def an_entry(name: str, number: int) -> Entry:
    abstention = number < ABSTENTION[name]
    return Entry(f"{name}-{number}" + ("_abs" if abstention else ""), name, abstention)


FULL = [an_entry(name, number) for name, size in SIZES.items() for number in range(size)]
"""As large as the dataset, type by type."""


def drawn(**options: Any) -> list[Entry]:
    return list(select(FULL, LongMemEvalOptions(**options)).questions)


def by_type(entries: list[Entry]) -> dict[str, int]:
    return dict(Counter(entry.question_type for entry in entries))


def test_the_very_ids_of_a_seed_are_the_same_everywhere_and_for_ever() -> None:
    assert [entry.question_id for entry in drawn(max_questions=6, random_seed=42)] == [
        "single-session-preference-29",
        "knowledge-update-6",
        "temporal-reasoning-50",
        "single-session-assistant-29",
        "multi-session-7_abs",
        "single-session-user-6",
    ]


def test_the_order_of_the_file_changes_nothing() -> None:
    mixed = FULL.copy()
    random.Random(1).shuffle(mixed)
    options = LongMemEvalOptions(max_questions=50)
    assert select(mixed, options) == select(FULL, options)


def test_another_seed_draws_other_questions_in_the_same_shares() -> None:
    one, other = drawn(max_questions=50, random_seed=1), drawn(max_questions=50, random_seed=2)
    assert by_type(one) == by_type(other)
    assert set(one) != set(other)


def test_a_stratified_sample_has_the_types_shares() -> None:
    assert by_type(drawn(max_questions=50)) == dict(zip(QUESTION_TYPES, (7, 6, 3, 13, 13, 8), strict=True))


def test_a_rare_type_has_at_least_one_question() -> None:
    assert min(by_type(drawn(max_questions=7)).values()) == 1
    assert set(by_type(drawn(max_questions=7))) == set(QUESTION_TYPES)


def test_fewer_places_than_types_go_to_the_most_frequent() -> None:
    assert set(by_type(drawn(max_questions=2))) == {"multi-session", "temporal-reasoning"}


def test_only_the_included_types() -> None:
    assert by_type(drawn(max_questions=30, include_question_types=("knowledge-update",))) == {"knowledge-update": 30}


@pytest.mark.parametrize(("policy", "abstention"), [("exclude", 0), ("only", 30)])
def test_abstention_left_out_or_alone(policy: str, abstention: int) -> None:
    found = drawn(abstention_policy=policy)
    assert sum(entry.abstention for entry in found) == abstention
    assert len(found) == (470 if policy == "exclude" else 30)


def test_a_share_of_abstention_is_met_where_it_can_be() -> None:
    selection = select(
        FULL,
        LongMemEvalOptions(max_questions=40, abstention_policy="target_proportion", abstention_target_proportion=0.25),
    )
    assert sum(entry.abstention for entry in selection.questions) == selection.requested_abstention == 10
    assert selection.shortfall == 0


def test_a_shortfall_is_left_short_and_not_filled_up() -> None:
    selection = select(
        FULL,
        LongMemEvalOptions(max_questions=100, abstention_policy="target_proportion", abstention_target_proportion=0.5),
    )
    assert sum(entry.abstention for entry in selection.questions) == 30
    assert (len(selection.questions), selection.requested_abstention, selection.shortfall) == (80, 50, 20)


def test_more_than_there_are_is_all_there_are() -> None:
    selection = select(FULL[:9], LongMemEvalOptions(max_questions=20))
    assert (len(selection.questions), selection.available, selection.shortfall) == (9, 9, 11)


SOME_SIZES = st.dictionaries(st.sampled_from(QUESTION_TYPES), st.integers(1, 60), min_size=1)


@given(sizes=SOME_SIZES, data=st.data())
@settings(deadline=None)
def test_shares_never_exceed_the_sample_or_the_type(sizes: dict[str, int], data: st.DataObject) -> None:
    count = data.draw(st.integers(1, sum(sizes.values())))
    shares = allot(sizes, count)
    assert sum(shares.values()) <= count
    assert all(0 <= shares[name] <= sizes[name] for name in sizes)
    if count >= len(sizes):
        assert min(shares.values()) >= 1


@given(count=st.integers(1, 80), seed=st.integers(0, 2**40), stratified=st.booleans(), data=st.data())
@settings(deadline=None, max_examples=60)
def test_a_sample_has_the_wanted_size_and_no_question_twice(
    count: int, seed: int, stratified: bool, data: st.DataObject
) -> None:
    pool = data.draw(st.lists(st.sampled_from(FULL), unique=True, min_size=1, max_size=80))
    options = LongMemEvalOptions(max_questions=count, random_seed=seed, stratified_sampling=stratified)
    selection = select(pool, options)
    assert len(selection.questions) == len(set(selection.ids)) == min(count, len(pool))
    assert set(selection.questions) <= set(pool)
    assert select(reversed(pool), options) == selection
