"""A run's name, given by its owner: stored tidied, and compared as people read it. Pure."""

import hashlib
import re
import unicodedata

MAX_CHARS = 120
_MAX_KEY_BYTES = 1000
"""A longer key would not fit into Postgres's index; compatibility forms can be 18 times as long as what was typed."""
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters, marks and signs that show nothing: fillers, variation selectors, the empty Braille pattern (Unicode's
`Default_Ignorable_Code_Point`, of which the rest has the category Cf)."""
_RESUMED = re.compile(r" \(resumed (\d{1,6})\)\Z")


def tidy_label(label: str) -> str:
    """One space for any run of white space, none at the ends, in Unicode's composed form."""
    return " ".join(unicodedata.normalize("NFC", label).split())


def label_key(label: str) -> str:
    """Equal for labels that look the same: compatibility forms are one, and what cannot be seen does not count.

    Empty for a label in which nothing can be seen.
    """
    plain = _UNSEEN.sub("", unicodedata.normalize("NFKC", _UNSEEN.sub("", label)))
    seen = "".join(char for char in plain if unicodedata.category(char) != "Cf")
    key = " ".join(seen.split())
    encoded = key.encode("utf-8", "surrogatepass")
    return key if len(encoded) <= _MAX_KEY_BYTES else hashlib.sha256(encoded).hexdigest()


def resumed_label(label: str, number: int) -> str:
    """`<label> (resumed <number>)`, however often it was resumed before; shortened where it would be too long."""
    ending = f" (resumed {number})"
    return _RESUMED.sub("", label)[: MAX_CHARS - len(ending)].rstrip() + ending


def times_resumed(label: str) -> int:
    found = _RESUMED.search(label)
    return int(found[1]) if found else 0
