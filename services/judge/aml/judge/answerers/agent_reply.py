"""The answer of a system that answers itself: the one text that its Search returned."""

from collections.abc import Sequence

from aml.judge.errors import AgentSaidTwice

AGENT = "agent"


def agents_answer(texts: Sequence[str]) -> str:
    """Empty where nothing came back: an agent that says nothing is wrong, not out of order. Raises `AgentSaidTwice`."""
    if len(texts) > 1:
        raise AgentSaidTwice(len(texts))
    return texts[0].strip() if texts else ""
