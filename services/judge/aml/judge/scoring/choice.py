"""Multiple choice: right if the set of chosen letters is exactly the gold set."""

import re
import string
from collections.abc import Sequence

from aml.judge.language.words import fold

from .verdict import RuleScore, failed, passed

_BRACKETED = re.compile(r"[(\[（]\s*([a-z])\s*[)\]）]")
_LEAD_IN = re.compile(
    r"^\W*(?:the )?(?:(?:best|right|correct|final) )?(?:answers?|options?|choices?)?\W*(?:is|are|:|：)?\s*"
)
_LETTERS_ONLY = re.compile(r"^[a-z](?:(?:\s*(?:,|;|、|/|&|and)\s*|\s+)[a-z])*$")
_OPTION_LABEL = re.compile(r"^\W*[a-z]\s*[).:）：]\s*")
_EDGES = " \t\r\n.,;:!?*_\"'`。，；：！？"


def score_choice(gold_letters: Sequence[str], options: Sequence[str], answer: str) -> RuleScore:
    chosen = chosen_letters(answer, options)
    wanted = frozenset(letter.strip(" ().").upper() for letter in gold_letters)
    if not chosen:
        return failed("the answer names no option")
    named = ", ".join(sorted(chosen))
    return passed(f"chose {named}") if chosen == wanted else failed(f"chose {named}")


def chosen_letters(answer: str, options: Sequence[str]) -> frozenset[str]:
    """Upper-case letters. Read from `(c)`, from an answer that is nothing but letters, or from an option's exact text.

    A letter inside a sentence is not a choice ("A dog" does not choose A), and a letter beyond the options makes the answer
    name no option at all.
    """
    folded = fold(answer).strip(_EDGES)
    found = set(_BRACKETED.findall(folded))
    if not found:
        bare = _LEAD_IN.sub("", folded, count=1).strip(_EDGES + "()")
        found = set(re.findall(r"(?<![a-z])[a-z](?![a-z])", bare)) if _LETTERS_ONLY.match(bare) else set()
    if not found:
        found = _by_text(folded, options)
    allowed = set(string.ascii_lowercase[: len(options)]) if options else set(string.ascii_lowercase)
    return frozenset(letter.upper() for letter in found) if found <= allowed else frozenset()


def _by_text(folded: str, options: Sequence[str]) -> set[str]:
    bare = _OPTION_LABEL.sub("", folded)
    texts = [_OPTION_LABEL.sub("", fold(option)).strip(_EDGES) for option in options]
    return {string.ascii_lowercase[i] for i, text in enumerate(texts) if text and text in (folded, bare)}
