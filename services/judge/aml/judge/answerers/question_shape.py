"""What a question asks for, read from its words."""

import re
from typing import Literal

from msgspec import Struct

from aml.judge.language.words import fold

Wants = Literal["date", "number", "span", "total", "polarity", "text"]
Order = Literal["latest", "earliest", "any"]

_DATE = re.compile(
    r"^\W*(?:so |and )?when\b|\b(?:what|which) (?:exact )?(?:date|day(?! of the week)|month|year|time of year)\b"
    r"|\bwhat (?:is|was) the date\b|什么时候|何时|哪一?天|哪一?年|哪个?月|几月|几号|什么日期"
)
_NUMBER = re.compile(r"\bhow many\b|\bwhat (?:number|amount)\b|\bhow (?:much|old)\b|几(?!乎)|多少|多大")
_SPAN = re.compile(
    r"\bhow many (?:days?|nights?)\b.*\b(?:between|passed?|lay|away|after|before|from|until|till|without|later|apart)\b"
    r"|(?:几|多少)天(?!前)"
)
_TOTAL = re.compile(r"\b(?:together|in total|altogether|combined|in all|sum of)\b|总共|一共|合计|加起来")
_PAID = re.compile(r"\b(?:pay|paid|spen[dt]|cost|earn(?:ed)?)\b")
_WEEKLY = re.compile(r"每周|每星期|\bday of the week\b|\bweekday\b")
_POLARITY = re.compile(
    r"^\W*(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)\b|吗\s*[？?]?\s*$"
    r"|是不是|有没有|会不会"
)
_LATEST = re.compile(
    r"\b(?:now|current|currently|latest|most recent(?:ly)?|nowadays|these days|at present|at the moment|still|today)\b"
    r"|现在|目前|如今|当前|最近|最新|最终|还在"
)
_EARLIEST = re.compile(
    r"\b(?:originally|initially|at first|used to|previously|at the beginning)\b|起初|最初|原来|一开始|以前|之前"
)


class QuestionShape(Struct, frozen=True, kw_only=True):
    wants: Wants
    order: Order
    """Which of several equally fitting memories counts: what is true now, or what was true at first."""


def shape_of(question: str) -> QuestionShape:
    folded = fold(question)
    order: Order = "latest" if _LATEST.search(folded) else "earliest" if _EARLIEST.search(folded) else "any"
    return QuestionShape(wants=_wants(folded), order=order)


def _wants(folded: str) -> Wants:
    if _SPAN.search(folded):
        return "span"
    if _DATE.search(folded) and not _WEEKLY.search(folded):
        return "date"
    if _TOTAL.search(folded) and (_NUMBER.search(folded) or _PAID.search(folded)):
        return "total"
    if _NUMBER.search(folded):
        return "number"
    return "polarity" if _POLARITY.search(folded) else "text"
