"""What would tell a right answer is left out, where the release keeps its gold to itself. Pure."""

import re
from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from aml.contracts.benchmark import Gold
from aml.contracts.packs import VerdictRecord

COVER = "▒▒▒"
MIN_CHARS = 2
"""A choice's letter is a word of its own in too many sentences to be covered; a digit is not."""


def cover_gold(verdict: VerdictRecord, gold: Gold) -> VerdictRecord:
    """The verdict without the words of any right answer, and without any of a model's, which may say them otherwise."""
    return replace(
        verdict,
        reason=_without_parts(covered(verdict.reason, gold)) if verdict.judge_reply is None else _of_a_model(verdict),
        judge_reply=None,
        facts=UNSET if verdict.facts is UNSET else tuple(replace(fact, text=COVER) for fact in verdict.facts),
        forbidden=UNSET if verdict.forbidden is UNSET else (COVER,) * len(verdict.forbidden),
    )


_PART = re.compile(r"""(?<!\w)(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|(?<=\bthe number )\S+""")
"""What a rule quotes: the date, the number or the way of saying it that it looked for, which is a part of an answer."""


def _without_parts(reason: str) -> str:
    return _PART.sub(COVER, reason)


def _of_a_model(verdict: VerdictRecord) -> str:
    """Its own reason is a part of its reply: "Lisboa, not Porto" has no word of the reference in it, and tells it."""
    return "judged correct" if verdict.score > 0 else "judged incorrect"


def covered(text: str, gold: Gold) -> str:
    told = {words.strip() for words in _told_by(gold)}
    patterns = [re.escape(words) for words in sorted(told, key=len, reverse=True) if len(words) >= MIN_CHARS]
    patterns += [rf"(?<![\w.,]){words}(?![\w]|[.,]\d)" for words in sorted(told) if len(words) == 1 and words.isdigit()]
    return re.sub("|".join(patterns), COVER, text, flags=re.IGNORECASE) if patterns else text


def _told_by(gold: Gold) -> Iterator[str]:
    yield from gold.answers
    yield from gold.rubric
    if gold.facts is not UNSET:
        for fact in gold.facts:
            yield from fact.any
    if gold.forbidden is not UNSET:
        for ways in gold.forbidden:
            yield from ways
