"""Whether an answer says that the question cannot be answered."""

import re

from .words import fold

NO_INFORMATION = "No information available."
NO_INFORMATION_ZH = "没有相关信息。"

_ANYWHERE = re.compile(
    r"no information (?:is )?available|not? (?:been )?mentioned|no mention of|(?:not enough|insufficient) information"
    r"|no (?:relevant |such |specific )?(?:information|record|memory|evidence|details?)\b"
    r"|there(?:'s| is| was) nothing (?:about|on|in)\b|(?:cannot|can't) be (?:determined|answered)"
    r"|(?:(?:is|are|was|were|has|have) (?:not|never)|(?:is|are|was|were|has|have)n't) (?:been )?(?:ever )?"
    r"(?:specified|stated|recorded|discussed|mentioned|told|given)|unanswerable"
    r"|neither [^.;]{1,80} (?:came up|(?:is|was|were|been) (?:ever )?(?:specified|stated|mentioned|given))"
    r"|(?:never|did not|didn't) come up|never came up"
    r"|you (?:only )?(?:never|haven't|have not|didn't|did not) (?:ever )?(?:told?|tell|mention(?:ed)?|sa(?:y|id)|shared?"
    r"|g[ai]ven?)\b"
    r"|(?:don't|do not|doesn't|does not) have (?:(?:any|enough|that|this|such|specific) )*"
    r"(?:information|info|details?|records?|memory)\b"
    r"|(?:cannot|can't|unable to) (?:determine|answer)|\bi (?:cannot|can't|could not|couldn't|was unable to) find\b"
    r"|\bbut not (?:at |on |in |for )?(?:what|which|who|when|where|how)\b"
    r"|没有相关信息|没有?提过|没有提到|没有告诉|没告诉|没有说|没说(?:过|是|他|她|什么|哪|几|多)|没有提及|未提及|未提到|没提到|没有足够的信息|信息不足"
    r"|没(?:有)?(?:跟|和|对|向)我(?:说|讲|提)|(?:没有|无)(?:任何)?(?:关于|有关)[^,。]{0,20}(?:信息|记录|内容)"
    r"|无法(?:确定|回答|得知|判断|确认|知道)|没有记录|没有任何记录|我(?:并|也|还)?不(?:太)?清楚"
)
_SORRY = r"^\W*(?:(?:i'?m |i am )?(?:sorry|afraid)\W+(?:but )?(?:that )?|(?:抱歉|对不起|不好意思)\W*)?"
# In the middle of a longer sentence these words quote somebody ("I don't know what to paint next").
_WHOLE = re.compile(
    _SORRY + r"(?:(?:(?:i )?(?:don't|do not) know|unknown|not sure|我?不知道|不清楚|不确定)\W*(?:$|[.,;!。，；！])"
    r"|i (?:don't|do not) know (?:(?:what|which|who|when|where|how|if|whether)\b(?! to\b)|(?:the|your|her|his|their)\b)"
    r"|我(?:并|也|还)?不知道)"
)
_CLAUSE_ENDS = re.compile(r"[.,:;!?。，：；！？\n]|\b(?:and|but)\b")
_HOWEVER = re.compile(
    r"(?:^\W*|[,;] )(?:however|but|unfortunately|though|although)\b|(?:^|[,;])(?:不过|但是?|可是|只是)"
)
_SENTENCE_ENDS = re.compile(r"[.!?。\n]")
_FIRST_SENTENCE = re.compile(r"[^.!?。！？\n]*")


def says_untold(text: str) -> bool:
    """That something was never told, which is more than that it is not known."""
    return _ANYWHERE.search(fold(text)) is not None


def admits_ignorance(text: str) -> bool:
    """That something is not known, wherever it is said."""
    folded = fold(text)
    return _ANYWHERE.search(folded) is not None or any(_WHOLE.match(each) for each in _CLAUSE_ENDS.split(folded))


def abstains_after_all(answer: str) -> bool:
    """As many do: first what is known, and then, as its opposite, that what was asked is not."""
    for sentence in _SENTENCE_ENDS.split(fold(answer)):
        however = _HOWEVER.search(sentence)
        opposite = sentence if sentence.rstrip().endswith("though") else sentence[however.start() :] if however else ""
        if admits_ignorance(opposite):
            return True
    return False


def is_abstention(answer: str) -> bool:
    """Judged on the first sentence. Blank text is not an abstention: an empty answer earns nothing."""
    folded = fold(answer).strip()
    first = _FIRST_SENTENCE.match(folded)
    if not folded or first is None:
        return False
    return _ANYWHERE.search(first.group()) is not None or _WHOLE.match(folded) is not None
