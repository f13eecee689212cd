from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.judge.answerers.memory_ranking import FEW, parts_of, rank_memories
from aml.judge.language.words import content_terms

FILLER = [f"user: we spoke about topic{i}" for i in range(20)]


def test_rare_words_weigh_more_than_common_ones() -> None:
    memories = ["Ann met Bo", "Ann met Cy", "Ann met Di", "the telescope broke", *FILLER]
    ranked = rank_memories(content_terms("Ann telescope"), memories)
    assert ranked[0].text == "the telescope broke"


def test_memories_without_a_shared_word_are_left_out_of_a_long_list_and_kept_in_a_short_one() -> None:
    assert [m.position for m in rank_memories(content_terms("telescope"), ["a telescope", *FILLER])] == [0]
    assert len(rank_memories(content_terms("telescope"), FILLER[:FEW])) == FEW


def test_equal_memories_stay_in_the_participants_order() -> None:
    ranked = rank_memories(("telescop",), ["a telescope", *FILLER, "a telescope"])
    assert [memory.position for memory in ranked] == [0, 21]


@pytest.mark.parametrize(
    ("memory", "said_on", "speaker", "body"),
    [
        ("[2023-05-08] Caroline: hello there", date(2023, 5, 8), "Caroline", "hello there"),
        ("[2023-05-08 13:56] Mel: hi", date(2023, 5, 8), "Mel", "hi"),
        ("Mel: hi", None, "Mel", "hi"),
        ("[2023-02-30] Mel: hi", None, "Mel", "hi"),
        ("just text", None, "", "just text"),
    ],
)
def test_the_head_of_a_memory_is_split_off(memory: str, said_on: date | None, speaker: str, body: str) -> None:
    parts = parts_of(memory)
    assert (parts.said_on, parts.speaker, parts.body) == (said_on, speaker, body)


@given(st.text(max_size=80), st.lists(st.text(max_size=60), max_size=12))
def test_ranking_is_a_selection_of_what_was_given_in_falling_order(question: str, memories: list[str]) -> None:
    ranked = rank_memories(content_terms(question), memories)
    assert all(memories[item.position] == item.text for item in ranked)
    assert len({item.position for item in ranked}) == len(ranked)
    assert [item.score for item in ranked] == sorted((item.score for item in ranked), reverse=True)
