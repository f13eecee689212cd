"""The oracle arm's history: the sessions that hold the answer, fewer of them, or more beside them.

Sessions keep their order in the dataset, since evidence that always came first would measure its place. Distractors are from
the question's own haystack: another user's life would be too easy to set aside. Each question draws by its own id, so that
adding one question changes nothing for another.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from aml.contracts.benchmark import Sample, Session
from aml.ingest.benchmarks.practice.seeded import Seeded

from .option_types import require_types


class OracleOptions(Struct, frozen=True, kw_only=True):
    """Raises `OptionInvalid` when it is made."""

    distractor_sessions: Annotated[int, Meta(ge=0)] = 0
    gold_session_fraction: Annotated[float, Meta(gt=0, le=1)] = 1.0
    """Rounded up, so that a question with one evidence session keeps it: without any it could not be answered."""

    def __post_init__(self) -> None:
        require_types(self)


class OracleReport(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What became of the options, over all questions: a level that changed nothing is not one whose change did not matter."""

    gold_available: int = 0
    gold_kept: int = 0
    distractors_requested: int = 0
    distractors_added: int = 0

    @property
    def met(self) -> bool:
        return self.distractors_added == self.distractors_requested


def project(
    sample: Sample, answering: frozenset[str], options: OracleOptions, seed: int
) -> tuple[Sample, OracleReport]:
    """`answering` are ids of the sample's sessions. Where none holds the answer, as may be for what was never said, nothing
    but distractors is left; where these are none either, the first session, since a conversation has at least one.
    """
    gold = [session for session in sample.sessions if session.session_id in answering]
    others = [session for session in sample.sessions if session.session_id not in answering]
    seeded = Seeded(seed, "oracle", sample.sample_id)
    kept = _some(gold, math.ceil(Fraction(str(options.gold_session_fraction)) * len(gold)), seeded.at("gold"))
    added = _some(others, options.distractor_sessions, seeded.at("distractors"))
    ids = {session.session_id for session in (*kept, *added)} or {sample.sessions[0].session_id}
    sessions = tuple(session for session in sample.sessions if session.session_id in ids)
    report = OracleReport(
        gold_available=len(gold),
        gold_kept=len(kept),
        distractors_requested=options.distractor_sessions,
        distractors_added=len(added),
    )
    return _with_sessions(sample, sessions), report


def together(one: OracleReport, other: OracleReport) -> OracleReport:
    return OracleReport(
        gold_available=one.gold_available + other.gold_available,
        gold_kept=one.gold_kept + other.gold_kept,
        distractors_requested=one.distractors_requested + other.distractors_requested,
        distractors_added=one.distractors_added + other.distractors_added,
    )


def _some(sessions: Sequence[Session], count: int, seeded: Seeded) -> list[Session]:
    return list(sessions) if count >= len(sessions) else seeded.shuffled(sessions)[:count]


def _with_sessions(sample: Sample, sessions: tuple[Session, ...]) -> Sample:
    """Evidence that went with its session is named no more."""
    turn_ids = {turn.turn_id for session in sessions for turn in session.turns}
    gold = tuple(
        replace(each, evidence=tuple(turn_id for turn_id in each.evidence if turn_id in turn_ids))
        for each in sample.gold
    )
    return replace(sample, sessions=sessions, gold=gold)
