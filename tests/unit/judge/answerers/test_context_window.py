from hypothesis import given
from hypothesis import strategies as st

from aml.judge.answerers.context_window import SEPARATOR_TOKENS, fit_context
from aml.judge.answerers.tokenizer import byte_length, token_counter


def refuse(_text: str) -> int:
    raise AssertionError("nothing needs counting when all bytes fit")


def test_nothing_is_counted_when_all_bytes_fit() -> None:
    assert fit_context(["a" * 10, "b" * 10], 100, refuse).items == 2


def test_the_first_memory_that_does_not_fit_ends_the_prefix() -> None:
    memories = ["a" * 40, "b" * 400, "c"]
    assert fit_context(memories, 100, len).items == 1


def test_tokens_decide_where_bytes_do_not_fit() -> None:
    memories = ["word " * 30] * 3
    assert fit_context(memories, 3 * (30 + SEPARATOR_TOKENS), lambda text: len(text.split())).items == 3


@given(st.lists(st.text(max_size=50), max_size=10), st.integers(0, 300))
def test_the_prefix_fits_and_one_more_would_not(memories: list[str], limit: int) -> None:
    items = fit_context(memories, limit, byte_length).items
    sizes = [byte_length(memory) + SEPARATOR_TOKENS for memory in memories]
    assert sum(sizes[:items]) <= limit
    assert items == len(memories) or sum(sizes[: items + 1]) > limit


@given(st.text(max_size=200))
def test_a_byte_level_tokenizer_never_makes_more_tokens_than_bytes(text: str) -> None:
    """What the shortcut rests on, with the real vocabulary."""
    assert token_counter("cl100k_base")(text) <= byte_length(text)
