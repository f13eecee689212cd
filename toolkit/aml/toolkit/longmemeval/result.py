"""What a LongMemEval run came to, as a struct and as JSON. Percentages are 0 to 100, intervals two-sided 95 %."""

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from .accounting import Accuracies, Counts
from .answer_sampling import AnswerSampling
from .composition import Composition
from .dates_in_text import GroundingReport
from .options import LongMemEvalOptions
from .oracle import OracleOptions, OracleReport
from .provenance import LongMemEvalProvenance
from .published import PublishedRow
from .question_result import LongMemEvalQuestion
from .retrieval_metrics import RetrievalMetrics


class LongMemEvalResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    agent: str
    model: str | None
    arm: Literal["agent", "oracle"]
    started_at: str
    """RFC 3339, UTC."""
    seconds: float
    job_id: str
    options: LongMemEvalOptions
    counts: Counts
    accuracies: Accuracies
    composition: Composition
    """Of the questions that ran."""
    questions: tuple[LongMemEvalQuestion, ...]
    """In the drawn order."""
    retrieval: tuple[RetrievalMetrics, ...]
    """Means over the questions whose retrieval was captured, at each cut; empty for an agent, which shows only its answer."""
    answer_sampling: AnswerSampling
    grounding: GroundingReport
    oracle_options: OracleOptions | None
    oracle: OracleReport | None
    provenance: LongMemEvalProvenance | None
    published: tuple[PublishedRow, ...]
    """Others' figures for the same arm; see `published` for why they are not to be subtracted from ours."""

    @property
    def overall_accuracy(self) -> float | None:
        return self.accuracies.overall.accuracy

    @property
    def complete(self) -> bool:
        """Every question has a verdict; otherwise no accuracy here is final."""
        return bool(self.questions) and not self.counts.inconclusive and not self.counts.agent_failure

    def to_json(self) -> bytes:
        """The same result gives the same bytes."""
        return msgspec.json.format(msgspec.json.encode(self, order="sorted"), indent=1)

    @classmethod
    def from_json(cls, content: bytes) -> "LongMemEvalResult":
        """Raises `msgspec.ValidationError` naming the field."""
        return msgspec.json.decode(content, type=cls)

    @classmethod
    def read(cls, path: Path) -> "LongMemEvalResult":
        """Raises `OSError`, `msgspec.ValidationError`."""
        return cls.from_json(path.read_bytes())


class PairedResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same questions twice: with the whole history, and with the sessions that hold the answer."""

    agent: LongMemEvalResult
    oracle: LongMemEvalResult
    both_scored: int
    gap_points: float | None
    """Oracle less agent, over the questions that both arms have a verdict on; None without any. What a memory could still win."""
    agent_accuracy: float | None
    """Over those questions, as the oracle's."""
    oracle_accuracy: float | None

    def to_json(self) -> bytes:
        return msgspec.json.format(msgspec.json.encode(self, order="sorted"), indent=1)


def pair(agent: LongMemEvalResult, oracle: LongMemEvalResult) -> PairedResult:
    """A question that only one arm has a verdict on would make the gap one between two samples."""
    right = {each.question_id: each.correct for each in oracle.questions if each.correct is not None}
    both = [(each.correct, right[each.question_id]) for each in agent.questions if _told(each, right)]
    agents, oracles = (_percent([pair[side] for pair in both]) for side in (0, 1))
    return PairedResult(
        agent=agent,
        oracle=oracle,
        both_scored=len(both),
        gap_points=None if agents is None or oracles is None else round(oracles - agents, 4),
        agent_accuracy=agents,
        oracle_accuracy=oracles,
    )


def _told(question: LongMemEvalQuestion, right: dict[str, bool]) -> bool:
    return question.correct is not None and question.question_id in right


def _percent(outcomes: list[bool | None]) -> float | None:
    return round(100 * sum(outcome is True for outcome in outcomes) / len(outcomes), 4) if outcomes else None
