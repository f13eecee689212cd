"""Whether an answer asserts something that it mentions: not where it denies it, asks it, or says that it no longer holds.

A mention is judged by its clause. That is a rule of thumb and no grammar: it reads English and Chinese, and it is the same for
every system.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from .fact_match import fold, says

_CLAUSE: Final = re.compile(
    r"[^.!?;:,…。！？；：，\n]*(?:(?<=\d)[.,:](?=\d)[^.!?;:,…。！？；：，\n]*)*[.!?;:,…。！？；：，\n]?"
)
_BUT: Final = re.compile(r"\b(?:but|though|although|however|yet)\b|但是?|不过|然而|而是")
_DENIED: Final = re.compile(
    r"\b(?:not(?! only)|never|no(?! \d)|nor|neither|without|cannot|isnt|arent|wasnt|werent|rather than|instead of|other than"
    r"|except)\b"
    r"|n['’]t\b|不是|并非|没有|没在|没说|并没|而非|而不是|不在|不会|不再"
)
_PAST: Final = re.compile(
    r"\b(?:no longer|used to|formerly|previously|originally|initially|at first|earlier|before|until|old|former|from|was"
    r"|were|had)\b"
    r"|不再|原来|原先|以前|之前|曾经?|起初|本来|最初|旧的?|从"
)


def asserts(text: str, ways: Sequence[str]) -> bool:
    """True where a clause mentions one of the ways and does not deny or ask it.

    A way that holds a denial itself ("never eats fish") is looked for as it is. A mention that runs over clauses ("Maple Street,
    number 9") cannot be judged by one and counts.
    """
    return _asserts(text, ways, current=False)


def asserts_as_current(text: str, ways: Sequence[str]) -> bool:
    """As `asserts`, but what is told as past ("it was 6 before") is no assertion either."""
    return _asserts(text, ways, current=True)


def _asserts(text: str, ways: Sequence[str], *, current: bool) -> bool:
    if not says(text, ways):
        return False
    mentioning = [clause for clause in clauses(text) if says(clause, ways)]
    if not mentioning:
        return True
    denying = any(_DENIED.search(fold(way)) for way in ways)
    return any(not _set_aside(clause, denying=denying, current=current) for clause in mentioning)


def clauses(text: str) -> Iterable[str]:
    for match in _CLAUSE.finditer(text.lower()):
        if match.group().strip():
            yield from (part for part in _BUT.split(match.group()) if part.strip())


def _set_aside(clause: str, *, denying: bool, current: bool) -> bool:
    if clause.rstrip().endswith(("?", "？")):
        return True
    if not denying and _DENIED.search(clause):
        return True
    return current and _PAST.search(clause) is not None
