"""Words that carry no evidence that two texts are about the same thing. Negations are read from the raw text instead."""

import re

_ENGLISH = """
    a about after again all also am an and any are as at be because been before being but by can could did do does
    doing down during each few for from further had has have having he her here hers herself him himself his how i
    if in into is it its itself just let like me more most my myself of off on once only or other our ours ourselves
    out over own really same she should since so some such than that the their theirs them themselves then there
    these they this those through till to too under until up upon us very was we were what when where which while
    who whom whose why will with would yeah you your yours yourself yourselves don't didn't doesn't isn't wasn't
    weren't aren't can't couldn't won't wouldn't i'm i've i'd i'll it's that's there's he's she's we're we've
    they're you're you've let's what's who's s t oh hey hi wow ok okay thanks tell name
"""
_CHINESE = "的 了 是 在 我 你 他 她 它 们 吗 呢 吧 啊 和 与 也 都 就 还 很 这 那 有 个 什么 怎么 哪里 哪个 哪些 谁的"

FUNCTION_WORDS = frozenset(re.findall(r"\S+", f"{_ENGLISH} {_CHINESE}"))


def is_function_word(token: str) -> bool:
    """A Chinese pair of two function characters ("是在") is one too."""
    if token in FUNCTION_WORDS:
        return True
    return not token.isascii() and len(token) == 2 and token[0] in FUNCTION_WORDS and token[1] in FUNCTION_WORDS
