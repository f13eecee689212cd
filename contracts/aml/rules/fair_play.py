"""Fair play, measured over what Search returned. Pure, and cheap enough to run on every question.

A memory that repeats a written message, with or without a short head such as a date or a speaker, is known by a look into a
set. Only other text is read: its shingles are compared with the written ones, and it is searched for phrases that speak to
the answering model. What was said of a text is remembered for the sample's further questions.

Overlap is containment of the item's word shingles in the written ones (A. Broder, On the resemblance and containment of
documents, 1997), with each Chinese, Japanese or Korean character counted as a word.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from aml.contracts.events import Event
from aml.contracts.fair_play import FlagCount, FlagKind
from aml.contracts.participant import Content, Memory, TextPart
from aml.contracts.release import FairPlay
from aml.contracts.units import AnswerGenerated, SearchReturned
from aml.contracts.verdicts import AnswerScored

INSTRUCTIONS: Final = (
    r"(?:ignore|disregard|forget) (?:all |any |every |the )?(?:of the )?(?:previous|prior|above|other|earlier|following)",
    r"(?:correct|right|expected|gold|reference|true|best) (?:answer|option|choice)(?: is\b|\s?[:=])",
    r"(?:answer|respond|reply) (?:only |just |exactly )?with (?:exactly|only|just|the|option|letter|[\"'“])",
    r"(?:choose|select|pick|output|return) (?:only )?(?:option|letter|answer|choice) \(?[a-j]\b",
    r"you are (?:an? |the )?(?:helpful )?(?:ai|language model|assistant|judge|grader|evaluator)\b",
    r"(?:dear|note to|attention,?) (?:the )?(?:ai|model|llm|assistant|judge|grader|evaluator)\b",
    r"(?:mark|grade|score|judge|rate) (?:this|the|my) (?:answer|response|reply) (?:as )?(?:correct|right|full)",
    r"(?:full|maximum|top) (?:marks|score|credit|points)",
    r"\b(?:system|developer) (?:prompt|message|instruction)",
    r"<\|?/?(?:system|assistant|im_start|im_end|inst)\|?>",
    r"(?:忽略|无视|忘记)(?:所有|以上|之前|上述|前面|其他)",
    r"(?:正确|标准|参考|最佳)(?:答案|选项)(?:是|为|应|:|：)",
    r"(?:请|必须|务必|只需)(?:直接|只)?(?:回答|输出|选择|作答)",
    r"你是(?:一个|一名|一位)?(?:ai|人工智能|语言模型|助手|评委|裁判|评分)",
    r"(?:判|评|打|记)(?:为|定为|作)?(?:正确|满分)",
    r"(?:系统|开发者)(?:提示词|提示|指令)",
)
"""In English and Chinese, of folded text. Only what was not written by the platform itself counts."""

HEAD_CHARS: Final = 60
"""A date, a speaker, a label before a written message; read for phrases like any other text."""
READ_CHARS: Final = 8_192
"""Of one item. What is longer than this and no written message is judged by its beginning."""
_REMEMBERED: Final = 4_096
_REMEMBERED_CHARS: Final = 2_048

_SPEAKS_TO_MODEL: Final = re.compile("|".join(INSTRUCTIONS))
_WORD: Final = re.compile(r"[぀-ヿ㐀-鿿가-힯豈-﫿]|[^\W_]+")
_LETTER: Final = re.compile(r"\(?[A-Za-z0-9][.):、]\s*")
_MIN_OPTION_CHARS: Final = 8
"""`Yes`, `1987` or `a cat` is in many an honest memory."""
_HEAD_ENDS: Final = ("] ", ": ", ") ", " - ", "\n", "：")


class Written:
    """All messages that a job wrote to one user, prepared to be looked up. Its caches are bounded."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = frozenset(texts)
        self.chars = sum(map(len, self.texts))
        self.judged: dict[str, tuple[FlagKind, ...]] = {}
        self.honest: set[Content] = set()
        """Of the judged texts those without a flag. An honest list is known by one look into it."""
        self.honest_heads: set[str] = set()
        """What stood before a written message and does not speak to the model."""
        self._folded: str | None = None
        self._shingles: dict[int, frozenset[tuple[str, ...]]] = {}

    def says(self, phrase: str) -> bool:
        """Whether the folded phrase was written by the platform itself."""
        if self._folded is None:
            self._folded = "\n".join(self.texts).casefold()
        return phrase in self._folded

    def shingles(self, words: int) -> frozenset[tuple[str, ...]]:
        """Made once, when the first text that is no written message comes: 0.4 µs a word."""
        if words not in self._shingles:
            self._shingles[words] = frozenset(
                shingle for text in self.texts for shingle in _shingles(_WORD.findall(text.casefold()), words)
            )
        return self._shingles[words]


def measure(
    memories: Sequence[Memory], options: Sequence[str], written: Written, rules: FairPlay
) -> dict[int, tuple[FlagKind, ...]]:
    """Position to what is flagged there, for the items that are. Empty for an honest list."""
    judged, told = written.judged, [option for option in map(_option, options) if len(option) >= _MIN_OPTION_CHARS]
    contents, honest = [memory.content for memory in memories], written.honest
    if not told and honest.issuperset(contents):
        return {}
    flagged: dict[int, tuple[FlagKind, ...]] = {}
    for position, content in enumerate(contents):
        if content in honest and not told:
            continue
        text = content if type(content) is str else text_of(content)
        kinds = judged.get(text)
        if kinds is None:
            kinds = _judge(text, written, rules)
            if len(text) <= _REMEMBERED_CHARS and len(judged) < _REMEMBERED:
                judged[text] = kinds
                if not kinds:
                    written.honest.add(text)
        if told and _repeats_option(text, told, written):
            kinds = (*kinds, "option")
        if kinds:
            flagged[position] = kinds
    return flagged


def count_flags(flagged: Mapping[int, Sequence[FlagKind]]) -> tuple[FlagCount, ...]:
    """By kind, in alphabetical order."""
    kinds = sorted(kind for kinds in flagged.values() for kind in kinds)
    return tuple(FlagCount(kind=kind, items=kinds.count(kind)) for kind in sorted(set(kinds)))


def text_of(content: Content) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.text for part in content if isinstance(part, TextPart))


def overlap(text: str, written: Written, shingle_words: int) -> float:
    """0 to 1: the share of the text's distinct word shingles that were written. 1 for a text without words."""
    found = frozenset(_shingles(_WORD.findall(text.casefold()), shingle_words))
    if not found:
        return 1.0
    return len(found & written.shingles(shingle_words)) / len(found)


def _judge(text: str, written: Written, rules: FairPlay) -> tuple[FlagKind, ...]:
    if text in written.texts:
        return ()
    if (head := _head_of(text, written)) is not None:
        return ("instruction",) if _head_speaks_to_model(head, written) else ()
    kinds: list[FlagKind] = []
    begun = text[:READ_CHARS]
    words = _WORD.findall(begun.casefold())
    if len(words) >= rules.min_words and overlap(begun, written, rules.shingle_words) * 1e6 < rules.min_overlap:
        kinds.append("foreign")
    if _speaks_to_model(begun, written):
        kinds.append("instruction")
    if len(text) * 100 > max(written.chars, 1) * rules.oversized_percent:
        kinds.append("oversized")
    return tuple(kinds)


def _head_of(text: str, written: Written) -> str | None:
    """What stands before a written message; None where no written message is the rest."""
    for end in _HEAD_ENDS:
        place = text.find(end, 0, HEAD_CHARS)
        while place >= 0:
            start = place + len(end)
            if text[start:] in written.texts:
                return text[:start]
            place = text.find(end, start, HEAD_CHARS)
    return None


def _speaks_to_model(text: str, written: Written) -> bool:
    folded = text.casefold()
    return any(not written.says(found[0]) for found in _SPEAKS_TO_MODEL.finditer(folded))


def _head_speaks_to_model(head: str, written: Written) -> bool:
    """Many messages have one date or one speaker before them."""
    if head in written.honest_heads:
        return False
    if _speaks_to_model(head, written):
        return True
    if len(written.honest_heads) < _REMEMBERED:
        written.honest_heads.add(head)
    return False


def _repeats_option(text: str, options: Sequence[str], written: Written) -> bool:
    if text in written.texts:
        return False
    folded = text[:READ_CHARS].casefold()
    return any(option in folded and not written.says(option) for option in options)


def _option(text: str) -> str:
    """Without its letter."""
    return _LETTER.sub("", text, count=1).strip().casefold() if _LETTER.match(text) else text.strip().casefold()


def _shingles(words: Sequence[str], size: int) -> Iterable[tuple[str, ...]]:
    if size == 2:
        return pairwise(words)
    return zip(*(words[start:] for start in range(size)), strict=False)


class Trace(Struct, frozen=True):
    """How one question went, in numbers that depend on the memories and on nothing else of a deterministic release."""

    score: int
    returned: int
    context_items: int
    prompt_tokens: int


def traces_of(events: Iterable[Event]) -> dict[str, Trace]:
    """By unit, for the questions that were searched, answered and scored."""
    searched: dict[str, int] = {}
    answered: dict[str, AnswerGenerated] = {}
    traces: dict[str, Trace] = {}
    for event in events:
        match event:
            case SearchReturned():
                searched[event.unit] = event.returned
            case AnswerGenerated():
                answered[event.unit] = event
            case AnswerScored() if event.unit in searched and event.unit in answered:
                answer = answered[event.unit]
                traces[event.unit] = Trace(
                    score=event.score,
                    returned=searched[event.unit],
                    context_items=answer.context_items,
                    prompt_tokens=answer.prompt_tokens,
                )
    return traces


def likeness(one: Mapping[str, Trace], other: Mapping[str, Trace]) -> int:
    """Millionths of the questions of both jobs (by unit) that went exactly alike; 0 where there is no common question.

    Equal scores are common, equal lengths of the answering model's input are not: a system that is another one under
    a new name, or another version that changes nothing, is near 1,000,000, and two honest systems far from it.
    """
    common = one.keys() & other.keys()
    if not common:
        return 0
    return sum(one[unit] == other[unit] for unit in common) * 1_000_000 // len(common)
