import pytest

from aml.judge.answerers.tokenizer import UnknownTokenizer, token_counter


def test_known_counts_of_the_public_vocabulary() -> None:
    count = token_counter("cl100k_base")
    assert [count(text) for text in ("hello world", "", "tiktoken is great!")] == [2, 0, 6]


def test_text_that_looks_like_a_control_token_is_text() -> None:
    assert token_counter("cl100k_base")("<|endoftext|>") > 1


def test_bytes_are_counted_as_utf8() -> None:
    assert token_counter("utf8-bytes")("é茶") == 5


def test_an_unknown_tokenizer_is_named_together_with_the_known_ones() -> None:
    with pytest.raises(UnknownTokenizer, match="'words'; this judge knows cl100k_base, utf8-bytes"):
        token_counter("words")
