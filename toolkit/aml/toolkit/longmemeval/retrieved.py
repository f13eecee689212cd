"""What of a memory's Search is kept with a question: which sessions its findings came from, and how good that was.

A finding belongs to a session where its words stand in one of the session's turns, or a whole turn stands in it: the contract
asks for no source, and a memory that rewrites what it was told cannot be placed. Those findings are counted apart.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from pathlib import Path
from typing import Final

from msgspec import Struct

from aml.contracts.benchmark import Sample
from aml.contracts.participant import Memory, TextPart
from aml.gateway.results.views import QuestionFile
from aml.ingest.benchmarks import read_samples

from .dataset import QuestionKey
from .options import EvidenceCapture
from .retrieval_metrics import RetrievalMetrics, retrieval_metrics

CUTS: Final = (1, 3, 5, 10)
EXCERPT_LENGTH: Final = 1_000
FEWEST_WORDS: Final = 3
"""A finding of fewer words stands in many a session by chance."""
_GAP: Final = re.compile(r"[\W_]+")


class Finding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    rank: int
    """From 1 on, as the memory returned it."""
    session: str | None
    """The first one that its words stand in; None where they stand in none."""
    gold: bool
    score: float | None = None
    content: str | None = None
    """With `full` capture alone; at most 1,000 characters."""


class CapturedEvidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    findings: tuple[Finding, ...]
    unplaced: int
    sessions: int
    """Different ones among the findings."""
    first_gold_rank: int | None
    metrics: tuple[RetrievalMetrics, ...]
    """By session, at each cut; empty for a question without an answer session, and for an abstention, as in the benchmark's
    own evaluation of retrieval."""


def capture(
    bundle: Path, keys: Mapping[str, QuestionKey], files: Mapping[str, QuestionFile], mode: EvidenceCapture
) -> dict[str, CapturedEvidence]:
    """By question id, for questions that were searched. One sample in memory at a time. Raises `BundleError`."""
    if mode == "none":
        return {}
    found = {}
    for sample in read_samples("practice", bundle):
        question_id = sample.sample_id
        file = files.get(question_id)
        if file is not None and file.memories is not None:
            key = keys[question_id]
            gold = () if key.entry.abstention else key.answer_sessions
            found[question_id] = placed(sample, file.memories, gold, with_content=mode == "full")
    return found


def mean_metrics(captured: Iterable[CapturedEvidence]) -> tuple[RetrievalMetrics, ...]:
    """Over the questions that have metrics, at each cut; empty where none has."""
    told = [each.metrics for each in captured if each.metrics]
    return tuple(
        RetrievalMetrics(
            k=k,
            recall_any=fsum(each[place].recall_any for each in told) / len(told),
            recall_all=fsum(each[place].recall_all for each in told) / len(told),
            ndcg=fsum(each[place].ndcg for each in told) / len(told),
            ndcg_lme_compat=fsum(each[place].ndcg_lme_compat for each in told) / len(told),
        )
        for place, k in enumerate(CUTS if told else ())
    )


def placed(sample: Sample, memories: Sequence[Memory], gold: Sequence[str], *, with_content: bool) -> CapturedEvidence:
    sessions = {
        session.session_id: tuple(_words(turn.content) for turn in session.turns) for session in sample.sessions
    }
    findings = []
    for rank, memory in enumerate(memories, start=1):
        text = _text(memory)
        session = _session_of(_words(text), sessions)
        findings.append(
            Finding(
                id=memory.id,
                rank=rank,
                session=session,
                gold=session in gold,
                score=memory.score,
                content=text[:EXCERPT_LENGTH] if with_content else None,
            )
        )
    ranked = [each.session or f"unplaced {each.rank}" for each in findings]
    return CapturedEvidence(
        findings=tuple(findings),
        unplaced=sum(each.session is None for each in findings),
        sessions=len({each.session for each in findings} - {None}),
        first_gold_rank=next((each.rank for each in findings if each.gold), None),
        metrics=tuple(retrieval_metrics(ranked, frozenset(gold), k) for k in CUTS) if gold else (),
    )


def _session_of(words: str, sessions: Mapping[str, Sequence[str]]) -> str | None:
    if len(words.split()) < FEWEST_WORDS:
        return None
    for session_id, turns in sessions.items():
        if any(words in turn or (len(turn.split()) >= FEWEST_WORDS and turn in words) for turn in turns):
            return session_id
    return None


def _text(memory: Memory) -> str:
    if isinstance(memory.content, str):
        return memory.content
    return "\n".join(part.text for part in memory.content if isinstance(part, TextPart))


def _words(text: str) -> str:
    """One blank between and around, so that "art" is not found in "party"."""
    return f" {_GAP.sub(' ', text.casefold()).strip()} "
