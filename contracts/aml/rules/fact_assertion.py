"""Whether an answer asserts something that it mentions: not where it denies it, asks it, or says that it no longer holds.

A mention is judged by its clause. That is a rule of thumb and no grammar: it reads English and Chinese, and it is the same for
every system.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from .fact_match import fold, says

_ENDS: Final = r".!?;:,…。！？；：，\n()（）—"
_CLAUSE: Final = re.compile(rf"[^{_ENDS}]*(?:(?<=\d)[.,:](?=\d)[^{_ENDS}]*)*[{_ENDS}]?")
_BUT: Final = re.compile(r"(?<!anything )\b(?:but|though|although|however|yet)\b|但是?|不过|然而|而是|\s[-\u2013]+\s")
_INSTEAD: Final = re.compile(r"(?=\b(?:rather than|instead of|as opposed to)\b)|(?=而不是|而非)")
"""What follows is denied, and what stands before it is not."""
_MOVED: Final = re.compile(
    r"(?P<away>(?:\bfrom\b|从)(?:(?!\bfrom\b|从).)*?)(?P<there>\b(?:in)?to\b|到|改成|改为|换成|换为|变成|变为|搬至)"
)
_DENIED: Final = re.compile(
    r"\b(?:not(?! only)|never|no(?! \d)|nor|neither|hardly|doubts?|without|cannot|isnt|arent|wasnt|werent|rather than|instead of"
    r"|other than|as opposed to|anything but|except|wrong(?:ly)?|incorrect(?:ly)?|mistaken(?:ly)?)\b"
    r"|n['’]t\b|不是|并非|没有|没在|没说|并没|而非|而不是|不在|不会|不再|不能|不要|是错的?|错误|(?<![特区分告离])别(?=[用去买选点喝吃说])"
)
_SUPPOSED: Final = re.compile(
    r"^\W*(?:and |or )?(?:if|unless|suppose|supposing)\b(?! (?:i|you|we)\b)|^\W*(?:如果|要是|假如|倘若)"
)
_PAST: Final = re.compile(
    r"\b(?:no longer|used to|formerly|previously|originally|initially|at first|first (?:said|say|saying|told|thought|wrote)"
    r"|(?:started|began) (?:with|at|as|out)|earlier|before|until|old|former|from|was|were|had)\b"
    r"|不再|原来|原先|以前|之前|曾经?|起初|本来|最初|旧的?|从"
)


def asserts(text: str, ways: Sequence[str]) -> bool:
    """True where a clause mentions one of the ways and does not deny, ask or suppose it.

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


def undenied(text: str) -> str:
    """What is left of a text without the clauses that deny, ask or suppose something."""
    return " ".join(clause for clause in clauses(text) if not _set_aside(clause, denying=False, current=False))


def clauses(text: str) -> Iterable[str]:
    for match in _CLAUSE.finditer(text.lower()):
        for part in _BUT.split(_MOVED.sub(r"\g<away>\n\g<there>", match.group())):
            yield from (piece for line in part.split("\n") for piece in _INSTEAD.split(line) if piece.strip())


def _set_aside(clause: str, *, denying: bool, current: bool) -> bool:
    if clause.rstrip().endswith(("?", "？")):
        return True
    if not denying and (_DENIED.search(clause) or _SUPPOSED.search(clause)):
        return True
    return current and _PAST.search(clause) is not None
