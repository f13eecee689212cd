import itertools
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.contracts.benchmark import Turn
from aml.rules.chunking import chunk_turns, count_words


def a_turn(words: int, number: int = 1) -> Turn:
    return Turn(turn_id=f"t{number}", role="user", content="word " * words)


def some_turns(*words: int) -> list[Turn]:
    return [a_turn(count, number) for number, count in enumerate(words)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        (" \t\n … — !", 0),
        ("hello", 1),
        ("hello, world", 2),
        ("don't", 2),
        ("well-known 3.14", 4),
        ("snake_case", 2),
        ("héllo wörld", 2),
        ("我爱北京", 4),
        ("我在 Beijing 住了3年。", 7),
        ("人々", 2),
        ("ひらがな", 1),
        ("한국어 단어", 2),
        ("नमस्ते दुनिया", 2),
        ("𠀀𠀁", 2),
        ("tea\u00a0time", 2),
        ("😀😀 hi", 2),
    ],
)
def test_the_frozen_counter_never_changes_its_mind(text: str, words: int) -> None:
    assert count_words(text) == words


def words_by_definition(text: str) -> int:
    """The module's definition once more, character by character."""
    count, inside = 0, False
    for character in text:
        point = ord(character)
        ideograph = (
            point in (0x3005, 0x3007)
            or 0x3400 <= point <= 0x4DBF
            or 0x4E00 <= point <= 0x9FFF
            or 0xF900 <= point <= 0xFAFF
            or 0x20000 <= point <= 0x3FFFF
        )
        category = unicodedata.ucd_3_2_0.category(character)
        separator = point < 0x10000 and not ideograph and (category[0] in "ZPS" or category == "Cc")
        if ideograph:
            count, inside = count + 1, False
        elif separator:
            inside = False
        elif not inside:
            count, inside = count + 1, True
    return count


@given(st.text())
def test_the_fast_counter_is_the_definition(text: str) -> None:
    assert count_words(text) == words_by_definition(text)


@given(st.text(alphabet=st.characters(max_codepoint=0x7F)))
def test_the_ascii_path_counts_like_the_other(text: str) -> None:
    assert count_words(text) == count_words(text + " 我") - 1


def test_a_chunk_ends_at_twenty_messages() -> None:
    chunks = chunk_turns(some_turns(*[1] * 45))
    assert [len(chunk) for chunk in chunks] == [20, 20, 5]


def test_a_chunk_ends_before_it_would_pass_two_thousand_words() -> None:
    chunks = chunk_turns(some_turns(1000, 1000, 1, 1999, 1))
    assert [len(chunk) for chunk in chunks] == [2, 2, 1]


def test_an_overlong_message_is_a_chunk_of_its_own() -> None:
    chunks = chunk_turns(some_turns(0, 2001, 0, 3))
    assert [[turn.turn_id for turn in chunk] for chunk in chunks] == [["t0"], ["t1"], ["t2", "t3"]]


def test_no_turns_make_no_chunk() -> None:
    assert chunk_turns([]) == []


@pytest.mark.parametrize("limits", [{"max_messages": 0}, {"max_words": 0}])
def test_limits_below_one_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least one"):
        chunk_turns(some_turns(1), **limits)


@given(st.lists(st.integers(0, 12), max_size=60), st.integers(1, 7), st.integers(1, 20))
def test_chunks_partition_the_session_and_keep_the_limits(words: list[int], max_messages: int, max_words: int) -> None:
    turns = some_turns(*words)
    chunks = chunk_turns(turns, max_messages=max_messages, max_words=max_words)

    assert [turn for chunk in chunks for turn in chunk] == turns
    for chunk in chunks:
        assert 1 <= len(chunk) <= max_messages
        assert len(chunk) == 1 or sum(count_words(turn.content) for turn in chunk) <= max_words
    for chunk, following in itertools.pairwise(chunks):
        full = len(chunk) == max_messages
        total = sum(count_words(turn.content) for turn in chunk) + count_words(following[0].content)
        assert full or total > max_words
    assert chunks == chunk_turns(tuple(turns), max_messages=max_messages, max_words=max_words)


def chunks_by_definition(turns: list[Turn], max_messages: int, max_words: int) -> list[tuple[Turn, ...]]:
    """`chunk_turns` with every turn's words counted."""
    chunks: list[list[Turn]] = []
    for turn in turns:
        full = not chunks or len(chunks[-1]) == max_messages
        if full or sum(count_words(each.content) for each in [*chunks[-1], turn]) > max_words:
            chunks.append([])
        chunks[-1].append(turn)
    return [tuple(chunk) for chunk in chunks]


@given(
    st.lists(st.text(alphabet="ab .é我々") | st.text(), max_size=25),
    st.integers(min_value=1, max_value=6),
    st.integers(min_value=1, max_value=25),
)
def test_words_that_are_not_counted_change_no_border(texts: list[str], max_messages: int, max_words: int) -> None:
    turns = [Turn(turn_id=f"t{number}", role="user", content=text) for number, text in enumerate(texts)]
    found = chunk_turns(turns, max_messages=max_messages, max_words=max_words)
    assert found == chunks_by_definition(turns, max_messages, max_words)
