"""Quantities in a text as canonical decimals: digits, English number words, Chinese numerals before a measure word."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_WORDS = {name: i for i, name in enumerate(_SMALL)} | _TENS | {"once": 1, "twice": 2, "dozen": 12}
_SCALES = {"hundred": 100, "thousand": 1000}
_CHINESE = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
# Without a measure word 一 is as often part of a word (一起, 一直) as a number.
_MEASURE = "个次天年月周岁本只条名位点小块元公里杯张件辆家人种号日分秒米斤场门间套台层遍双盆支项"
_NUMERAL = "零〇一二两三四五六七八九十百千"
_ENGLISH_WORD = "|".join(sorted((*_WORDS, *_SCALES), key=len, reverse=True))
# Bounded, since texts come from strangers: a run of scales is as large a number as anybody cares to write.
_NUMBER = re.compile(
    r"(?P<digits>\d[\d,]*(?:\.\d+)?)"
    rf"|\b(?P<words>(?:{_ENGLISH_WORD})(?:[\s-]+(?:and\s+)?(?:{_ENGLISH_WORD})){{0,11}})\b"
    rf"|(?P<chinese>(?<![{_NUMERAL}])[{_NUMERAL}]+)(?=[{_MEASURE}])",
    re.IGNORECASE,
)


class Quantity(NamedTuple):
    value: str
    start: int
    end: int


def quantities_in(text: str) -> tuple[Quantity, ...]:
    return tuple(_quantities(text))


def numbers_in(text: str) -> frozenset[str]:
    return frozenset(quantity.value for quantity in _quantities(text))


def _quantities(text: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(text):
        if (digits := match["digits"]) is not None:
            value = canonical(digits.replace(",", ""))
        elif (words := match["words"]) is not None:
            value = str(_from_words(re.split(r"[\s-]+", words.lower())))
        else:
            value = str(_from_chinese(match["chinese"]))
        yield Quantity(value, match.start(), match.end())


def canonical(digits: str) -> str:
    """`3.50` → `3.5`, `007` → `7`."""
    return format(Decimal(digits).normalize(), "f")


def _from_words(words: list[str]) -> int:
    total = current = 0
    for word in words:
        if word == "hundred":
            current = (current or 1) * 100
        elif word == "thousand":
            total, current = total + (current or 1) * 1000, 0
        elif word == "dozen":
            current = (current or 1) * 12
        elif word != "and":
            current += _WORDS[word]
    return total + current


def _from_chinese(numerals: str) -> int:
    total = current = 0
    for numeral in numerals:
        scale = {"十": 10, "百": 100, "千": 1000}.get(numeral)
        if scale is None:
            current = _CHINESE[numeral]
        else:
            total, current = total + (current or 1) * scale, 0
    return total + current
