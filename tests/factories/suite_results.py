"""Question records and results of suites that state only what matters."""

from collections.abc import Mapping, Sequence
from typing import Any

from aml.toolkit.metrics.score_suite import RunFacts, score_suite
from aml.toolkit.results import FactRecord, Provenance, QuestionRecord, SuiteResult, Unscored


def a_question(category: str = "basic_retention", score: float | None = 100.0, **changes: Any) -> QuestionRecord:
    number = changes.pop("number", 1)
    values: dict[str, Any] = {
        "question_id": f"{category}-{number}",
        "category": category,
        "scenario": f"scenario-{number}",
        "text": f"What was said about thing {number}?",
        "judge": "standard",
        "reference": f"thing {number}",
        "answer": f"It was thing {number}.",
        "asked_on": "2025-05-02",
        "score": None if score is None else float(score),
        "unscored": None if score is not None else Unscored(stage="answer", reason="model", detail="it was away"),
    }
    return QuestionRecord(**{**values, **changes})


def a_fact(text: str = "shelf 9", *, said: bool = True, importance: int = 100) -> FactRecord:
    return FactRecord(text=text, importance=importance, said=said)


def a_provenance(**changes: Any) -> Provenance:
    values: dict[str, Any] = {
        "tool_version": "0.1.0",
        "suite": "quick",
        "language": "en",
        "seed": 0,
        "history": "inject",
        "dataset_sha256": "a" * 64,
        "question_ids_sha256": "b" * 64,
        "release_digest": "c" * 64,
    }
    return Provenance(**{**values, **changes})


def a_result(
    questions: Sequence[QuestionRecord],
    weights: Mapping[str, float] | None = None,
    *,
    provenance: Provenance | None = None,
    price: float | None = None,
) -> SuiteResult:
    chosen = weights or dict.fromkeys(dict.fromkeys(question.category for question in questions), 1.0)
    run = RunFacts(
        agent="an agent",
        suite="quick",
        started_at="2026-01-02T03:04:05Z",
        seconds=1.5,
        price_per_million_tokens=price,
    )
    return score_suite(questions, chosen, run, provenance or a_provenance())
