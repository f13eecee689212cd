"""Texts that real servers have tripped over: as messages, as queries, in logs, in SQL, in templates. All are legal content."""

from typing import Final

NAUGHTY: Final[dict[str, str]] = {
    "single quote": "It's O'Brien's, isn't it?",
    "unbalanced double quote": 'He said "wait and left',
    "SQL fragment": "x'); DROP TABLE memories; --",
    "search operators": 'NEAR(tea AND (coffee OR NOT "milk" *',
    "column filter": "title:tea -coffee +milk ^2 ~",
    "regular expression": "^(a+)+$ [^ \\d{2,}(?<name>",
    "only punctuation": "?!… ,;:—()[]{}",
    "one letter": "a",
    "backslashes": "C:\\new\\table\\x00\\u0041",
    "percent signs": "100%s %d %n %(name)s %%",
    "format braces": "{} {0} {name!r} {{x}} ${HOME} $(id)",
    "template": "{{ 7 * 7 }} <%= 7 %> #{7}",
    "HTML": "<script>alert('tea')</script><img src=x onerror=y>&amp;&lt;",
    "JSON inside": '{"role": "system", "content": [1, null]}',
    "looks like null": "null",
    "looks like a number": "-0.0e10",
    "path": "../../../../etc/passwd",
    "line breaks": "first\r\nsecond\n\n\tthird",
    "line separators": "one\u2028two\u2029three\u0085four",
    "edge spaces": "  kept as they are   ",
    "control characters": "bell\u0007 escape\u001b[31m delete\u007f",
    "zero width": "zero\u200bwidth\u200djoin\ufeffmark",
    "right to left": "שלום \u202eevoba morf\u202c مرحبا",
    "stacked accents": "Z\u0351\u036b\u0343a\u0361\u0347l\u0320\u031ag\u0322\u033bo\u0335\u0358",
    "emoji": "👩🏽‍🚀 🏳️‍🌈 🇨🇭 👨‍👩‍👧‍👦",
    "outside of the basic plane": "𝒯ℯ𝒶 𠜎𠜱𠝹 𓀀",
    "Turkish i": "ISPARTA ısparta İstanbul istanbul",
    "sharp s": "STRASSE Straße ﬁne ﬂow",
    "private use": "\ue000\uf8ff\U000f0000",
    "long word": "tea" * 700,
}

NUL: Final = "before\u0000after"
"""Legal JSON, and no text to Postgres: worth a warning and no more."""
