"""Whether an answer says that the question cannot be answered."""

import re

from .words import fold

NO_INFORMATION = "No information available."
NO_INFORMATION_ZH = "没有相关信息。"

_ANYWHERE = re.compile(
    r"no information (?:is )?available|not? (?:been )?mentioned|no mention of|(?:not enough|insufficient) information"
    r"|no (?:relevant |such )?(?:information|record|memory|evidence)\b|(?:cannot|can't) be (?:determined|answered)"
    r"|(?:is|are|was|were|has|have) (?:not|never) (?:been )?(?:specified|stated|recorded|discussed|mentioned|told)|unanswerable"
    r"|you (?:never|haven't|have not|didn't|did not) (?:told?|tell|mention(?:ed)?|sa(?:y|id)|shared?)\b"
    r"|(?:don't|do not|doesn't|does not) have (?:any |enough )?(?:information|record|memory)"
    r"|(?:cannot|can't|unable to) (?:determine|answer)"
    r"|没有相关信息|没有提到|没有告诉|没告诉|没有说过|没说过|没有提及|未提及|未提到|没提到|没有足够的信息|信息不足|无法确定|无法回答|无法得知|没有记录|没有任何记录"
)
# In the middle of a longer sentence these words quote somebody ("I don't know what to paint next").
_WHOLE = re.compile(
    r"^\W*(?:sorry\W+)?(?:(?:i )?(?:don't|do not) know|unknown|not sure|我?不知道|不清楚|不确定)\W*(?:$|[.,;!。，；！])"
)
_FIRST_SENTENCE = re.compile(r"[^.!?。！？\n]*")


def is_abstention(answer: str) -> bool:
    """Judged on the first sentence. Blank text is not an abstention: an empty answer earns nothing."""
    folded = fold(answer).strip()
    first = _FIRST_SENTENCE.match(folded)
    if not folded or first is None:
        return False
    return _ANYWHERE.search(first.group()) is not None or _WHOLE.match(folded) is not None
