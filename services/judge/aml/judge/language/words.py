"""Words of a text as both the extractive answerer and the rule-based judge see them.

English (and any spaced script) by word, stemmed with Snowball's English stemmer; Chinese and Japanese by overlapping pairs
of characters, which need no dictionary. Pure; the caches hold only what can be recomputed.
"""

import re
import unicodedata
from functools import lru_cache

import Stemmer

from .function_words import is_function_word

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"

_CJK_RUN = re.compile(f"[{CJK}]")
_TOKEN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:'[a-z]+)?")

_stemmer = Stemmer.Stemmer("english")


def fold(text: str) -> str:
    """Lower case, compatibility forms unified (full-width digits and letters), one kind of apostrophe."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
    return text.lower()


def has_cjk(text: str) -> bool:
    return not text.isascii() and _CJK_RUN.search(text) is not None


def tokens_of(text: str) -> list[str]:
    """Every word or CJK pair in order, unstemmed, function words included."""
    found: list[str] = []
    for token in _TOKEN.findall(fold(text)):
        if token.isascii() or not _CJK_RUN.match(token) or len(token) == 1:
            found.append(token)
        else:
            found.extend(token[i : i + 2] for i in range(len(token) - 1))
    return found


def content_terms(text: str) -> tuple[str, ...]:
    """Stemmed content words in order. Empty for a text of function words only."""
    return tuple(_stemmer.stemWords([token for token in tokens_of(text) if not is_function_word(token)]))


def all_terms(text: str) -> tuple[str, ...]:
    """Stemmed words, function words included: for a text that has nothing else."""
    return tuple(_stemmer.stemWords(tokens_of(text)))


@lru_cache(maxsize=8_192)
def term_set(text: str) -> frozenset[str]:
    """`content_terms` as a set, kept by content: a conversation's memories come back for each of its questions."""
    return frozenset(content_terms(text))
