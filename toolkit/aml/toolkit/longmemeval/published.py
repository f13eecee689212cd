"""Figures that LongMemEval's authors published, to stand beside ours. Facts with their place in the paper, compared by no code.

The paper's judge was GPT-4o (2024-08-06), its file the one before it was cleaned: a few points of difference mean nothing. The
57.7 % that is often quoted for "GPT-4o on S" is ChatGPT with GPT-4o in a study by hand: 97 questions, three to six sessions.
"""

from typing import Final, Literal

from msgspec import Struct

PublishedArm = Literal["whole_history", "oracle", "assistant_study"]
"""whole_history: S, all sessions in the context. oracle: the sessions with the answer alone."""


class PublishedRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    system: str
    arm: PublishedArm
    accuracy: float
    """Percent of `questions`."""
    questions: int
    source: str


_PAPER: Final = "Wu et al., LongMemEval, ICLR 2025, arXiv:2410.10813"


def _long_context(system: str, whole_history: float, oracle: float) -> tuple[PublishedRow, ...]:
    source = f"{_PAPER}, figure 3(b)"
    return (
        PublishedRow(system=system, arm="whole_history", accuracy=whole_history, questions=500, source=source),
        PublishedRow(system=system, arm="oracle", accuracy=oracle, questions=500, source=source),
    )


PUBLISHED: Final = (
    *_long_context("GPT-4o with chain of note", 64.0, 92.4),
    *_long_context("GPT-4o", 60.6, 87.0),
    *_long_context("Llama 3.1 8B", 45.4, 71.0),
    *_long_context("Phi-3 128k 14B", 38.0, 70.2),
    *_long_context("Phi-3.5 Mini 4B", 34.2, 66.0),
    *_long_context("Llama 3.1 70B", 33.4, 74.4),
    PublishedRow(
        system="ChatGPT (GPT-4o)",
        arm="assistant_study",
        accuracy=57.7,
        questions=97,
        source=f"{_PAPER}, figure 3(a)",
    ),
)


def published_for(arm: PublishedArm) -> tuple[PublishedRow, ...]:
    """Best first."""
    return tuple(sorted((row for row in PUBLISHED if row.arm == arm), key=lambda row: -row.accuracy))
