"""Calendar dates as written in English, Chinese and ISO form, with whatever parts they give."""

import re
from collections.abc import Iterator
from typing import NamedTuple

MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTH_NUMBER = {name: i for i, month in enumerate(MONTH_NAMES, 1) for name in (month.lower(), month[:3].lower())} | {
    "sept": 9
}
_MONTH = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(?P<{0}>\d{{1,2}})(?:st|nd|rd|th)?"

_DATE = re.compile(
    r"(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?!\d)"
    rf"|\b{_DAY.format('d2')}(?:\s+of)?\s+{_MONTH.format('m2')}(?:,?\s+(?P<y2>\d{{4}}))?"
    rf"|\b{_MONTH.format('m3')}\s+{_DAY.format('d3')}\b(?!\d)(?:,?\s+(?P<y3>\d{{4}}))?"
    rf"|\b{_MONTH.format('m4')},?\s+(?:of\s+)?(?P<y4>\d{{4}})"
    r"|(?:(?P<y5>\d{4})\s*年)?\s*(?P<m5>\d{1,2})\s*月(?:\s*(?P<d5>\d{1,2})\s*[日号])?"
    r"|(?P<y6>\d{4})\s*年"
    r"|\b(?P<y7>(?:19|20)\d{2})\b",
    re.IGNORECASE,
)


class PartialDate(NamedTuple):
    """None for a part that the text does not give. `start` and `end` are offsets into the text."""

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int

    def covers(self, other: "PartialDate") -> bool:
        """True if this date says all that `other` says. A finer date covers a coarser one, never the other way."""
        return all(
            theirs is None or ours == theirs
            for ours, theirs in ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        )


def dates_in(text: str) -> tuple[PartialDate, ...]:
    """In order of appearance; impossible months and days are no dates."""
    return tuple(_dates(text)) if any(character.isdigit() for character in text) else ()


def _dates(text: str) -> Iterator[PartialDate]:
    for match in _DATE.finditer(text):
        parts = {key[0]: value for key, value in match.groupdict().items() if value is not None}
        month_text = parts.get("m")
        month = None
        if month_text is not None:
            month = int(month_text) if month_text.isdigit() else _MONTH_NUMBER.get(month_text.lower())
        day = int(parts["d"]) if "d" in parts else None
        if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
            continue
        year = int(parts["y"]) if "y" in parts else None
        yield PartialDate(year, month, day, match.start(), match.end())
