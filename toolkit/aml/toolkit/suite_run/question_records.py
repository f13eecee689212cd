"""From what the platform kept of a question, and what its scenario says of it, to the toolkit's record. Pure."""

from collections.abc import Iterable
from typing import Final

from aml.toolkit.results import FactRecord, QuestionRecord, Unscored
from aml.toolkit.suites.compilation import QuestionKey

from .agent_bundle import AskedQuestion, AskedQuestions
from .run_bundle import BundleRun

MILLIONTHS_A_POINT: Final = 10_000


def question_records(
    keys: Iterable[QuestionKey], asked: AskedQuestions, run: BundleRun, *, repeat: int = 0
) -> tuple[QuestionRecord, ...]:
    """One a key, in the keys' order, whatever became of it."""
    return tuple(_record(key, asked.by_id[key.question_id], run, repeat) for key in keys)


def _record(key: QuestionKey, asked: AskedQuestion, run: BundleRun, repeat: int) -> QuestionRecord:
    file = run.files.get(key.question_id)
    row = file.row if file else None
    verdict = file.verdict if file else None
    answer = file.answer.text if file and file.answer else None
    scored = row is not None and row.score is not None and row.outcome not in (None, "unscored")
    return QuestionRecord(
        question_id=key.question_id,
        category=key.category,
        scenario=key.scenario,
        text=key.ask,
        judge=key.judge,
        reference=key.answer,
        difficulty=key.difficulty,
        depth=key.depth,
        asked_on=None if asked.asked_at is None else f"{asked.asked_at:%Y-%m-%d}",
        answer=answer or None,
        score=row.score / MILLIONTHS_A_POINT if row is not None and row.score is not None and scored else None,
        reason=verdict.reason if verdict else "",
        unscored=None if scored else _unscored(key, run),
        facts=tuple(
            FactRecord(text=fact.text, importance=fact.importance, said=fact.said)
            for fact in ((verdict.facts if verdict else None) or ())
        ),
        forbidden=tuple((verdict.forbidden if verdict else None) or ()),
        evidence=asked.evidence,
        latency_ms=None if row is None or row.search_micros is None else row.search_micros / 1000,
        prompt_tokens=(row.prompt_tokens or None) if row else None,
        repeat=repeat,
    )


def _unscored(key: QuestionKey, run: BundleRun) -> Unscored:
    """What the agent raised stands behind the platform's own words, which know only that it failed."""
    file = run.files.get(key.question_id)
    if file is None or file.row.outcome is None:
        if (why := run.job.failure) is not None:
            return Unscored(stage=why.stage, reason=why.reason, detail=f"the job stopped: {why.detail}")
        return Unscored(stage=run.job.stage, reason=f"job_{run.job.state}", detail="the job ended before it was asked")
    row = file.row
    detail = row.detail or ""
    raised = run.failures.get(key.question_id)
    if raised is not None and row.stage in ("ingest", "retrieval"):
        detail = f"{detail}: {raised}" if detail else raised
    return Unscored(stage=row.stage or "unknown", reason=row.reason or "unknown", detail=detail)
