"""A bundle to be run with an agent, and what of its questions the platform does not send or show: read in one pass."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from aml.contracts.benchmark import Sample
from aml.ingest.benchmarks import ADAPTERS
from aml.toolkit.agents.received import instant, sample_of
from aml.toolkit.results import EvidenceSession

EXCERPT_LENGTH: Final = 400
"""Characters of a session's evidence."""


class AgentBundle(Struct, frozen=True, kw_only=True):
    name: str
    """The dataset's, as the job names it."""
    path: Path
    sha256: str
    adapter: str = "practice"


class AskedQuestion(Struct, frozen=True, kw_only=True):
    question_id: str
    sample_id: str
    text: str
    asked_at: datetime | None
    evidence: tuple[EvidenceSession, ...]


class AskedQuestions(Struct, frozen=True):
    by_id: Mapping[str, AskedQuestion]
    """In the bundle's order."""
    times: Mapping[tuple[str, str], datetime | None]
    """Sample and text to the time of asking."""

    def asked_at(self, user_id: str, text: str) -> datetime | None:
        return self.times.get((sample_of(user_id), text))


def read_asked(bundle: AgentBundle) -> AskedQuestions:
    """One sample in memory at a time. Raises `BundleError`."""
    by_id = {asked.question_id: asked for sample in ADAPTERS[bundle.adapter](bundle.path) for asked in _asked(sample)}
    return AskedQuestions(by_id, {(asked.sample_id, asked.text): asked.asked_at for asked in by_id.values()})


def _asked(sample: Sample) -> list[AskedQuestion]:
    found = []
    for question, gold in zip(sample.questions, sample.gold, strict=True):
        named = set(gold.evidence)
        found.append(
            AskedQuestion(
                question_id=question.question_id,
                sample_id=sample.sample_id,
                text=question.text,
                asked_at=None if question.asked_at is None else instant(question.asked_at),
                evidence=_evidence(sample, named),
            )
        )
    return found


def _evidence(sample: Sample, named: set[str]) -> tuple[EvidenceSession, ...]:
    sessions = []
    for session in sample.sessions:
        held = [turn for turn in session.turns if turn.turn_id in named]
        if held:
            at = held[0].timestamp
            excerpt = " … ".join(turn.content for turn in held)
            sessions.append(
                EvidenceSession(
                    session_id=session.session_id,
                    on=None if at is None else f"{instant(at):%Y-%m-%d}",
                    excerpt=excerpt if len(excerpt) <= EXCERPT_LENGTH else f"{excerpt[:EXCERPT_LENGTH]}…",
                )
            )
    return tuple(sessions)
