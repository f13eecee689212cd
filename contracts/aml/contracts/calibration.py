"""How far a judge can be trusted: its verdicts on a shipped set of labelled answers, measured once a release and code."""

from typing import Annotated

from msgspec import Meta, Struct

from .envelope import Count, Digest, Fact, Millionths, Token
from .vocabulary import Language

Kappa = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""Cohen's kappa in millionths: 0 is what chance gives, below it is worse than chance."""


class CalibrationCase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a calibration set: an answer, and whether a person called it correct."""

    case_id: Token
    kind: Token
    """What makes the answer hard to judge: a number, a date, a negation, an order to the judge, …"""
    language: Language
    question_type: str
    """Chooses the scoring rule in the release, as a benchmark question's does."""
    question: str
    references: tuple[str, ...]
    """As `Gold.answers`."""
    answer: str
    correct: bool
    abstention: bool = False
    rubric: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


class KindAgreement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: Token
    labelled: Count
    agreed: Count


class JudgeCalibrated(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="judge_calibrated.v1"
):
    """The first measurement of a (release, code) stands. A set is public, so everything but the verdicts can be looked up."""

    release_id: Token
    release_digest: Digest
    pipeline_digest: Digest
    judge: str
    """The release's judge: `rules`, or `openai:<model>`."""
    answers: Token
    """The calibration set's name."""
    answers_sha256: Digest
    labelled: Count
    """Answers of question types that the release scores."""
    agreed: Count
    unread: Count
    """Of the others: the judge gave no verdict, which is no agreement."""
    agreement: Millionths
    kappa: Kappa
    kinds: tuple[KindAgreement, ...]
    """In alphabetical order."""
    disagreed: tuple[Token, ...]
    """Case ids, in the set's order."""
    details: Digest
    """Over every case's verdict: `aml.rules.calibration.details_digest`."""
