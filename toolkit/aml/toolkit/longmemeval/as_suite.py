"""A LongMemEval result in a suite's shape, so that reports, baselines and assertions take it. Pure.

Its own figures stay: nothing is weighted or counted anew. Categories are the dataset's types, and abstention, which lies across
them, once more by itself with a weight of 0. What the judge left open stays an unscored question here, whatever the run's policy.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from aml.toolkit.metrics.grades import grade_of, stars_of
from aml.toolkit.metrics.score_suite import RunFacts, score_suite
from aml.toolkit.results import Axis, CategoryScore, EvidenceSession, Provenance, QuestionRecord, SuiteResult
from aml.toolkit.results.category import PASSING

from .accounting import ABSTENTION_AXIS, Accuracy
from .options import QUESTION_TYPES
from .question_result import LongMemEvalQuestion
from .result import LongMemEvalResult

SUITE = "LongMemEval"


def as_suite_result(run: LongMemEvalResult) -> SuiteResult:
    weights = {
        name: run.accuracies.by_type[name].questions / len(run.questions)
        for name in QUESTION_TYPES
        if name in run.accuracies.by_type
    }
    facts = RunFacts(
        agent=run.agent if run.arm == "agent" else f"{run.agent} · {run.arm}",
        suite=SUITE,
        started_at=run.started_at,
        seconds=run.seconds,
        model=run.model,
    )
    counted = score_suite([_record(each) for each in run.questions], weights, facts, _provenance(run))
    overall = run.accuracies.overall
    score = overall.accuracy or 0.0
    return replace(
        counted,
        categories=tuple(_categories(run, weights)),
        overall=score,
        low=overall.low,
        high=overall.high,
        capability=overall.accuracy,
        grade=grade_of(score),
        stars=stars_of(score),
        complete=run.complete,
        axes=tuple(
            Axis(name=name, score=accuracy, categories=()) for name, accuracy in sorted(run.accuracies.axes.items())
        ),
    )


def _categories(run: LongMemEvalResult, weights: dict[str, float]) -> Iterator[CategoryScore]:
    for name, weight in weights.items():
        yield _category(name, weight, run.accuracies.by_type[name])
    if run.accuracies.abstention.questions:
        yield _category(ABSTENTION_AXIS, 0.0, run.accuracies.abstention)


def _category(name: str, weight: float, found: Accuracy) -> CategoryScore:
    return CategoryScore(
        category=name,
        weight=weight,
        planned=found.questions,
        scored=found.scored,
        unscored=found.questions - found.scored,
        score=found.accuracy,
        low=found.low,
        high=found.high,
        passing=PASSING,
        grade=None if found.accuracy is None else grade_of(found.accuracy),
    )


def _record(question: LongMemEvalQuestion) -> QuestionRecord:
    decided = question.status in ("correct", "incorrect")
    return QuestionRecord(
        question_id=question.question_id,
        category=question.question_type,
        scenario=question.question_id,
        text=question.text,
        judge=ABSTENTION_AXIS if question.abstention else question.question_type,
        reference=question.reference,
        asked_on=question.asked_on,
        answer=question.answer,
        score=(100.0 if question.status == "correct" else 0.0) if decided else None,
        reason=(question.judge.explanation or "") if question.judge else "",
        unscored=question.unscored,
        evidence=tuple(EvidenceSession(session_id=each, on=None, excerpt="") for each in question.answer_sessions),
        latency_ms=question.latency_ms,
        prompt_tokens=question.prompt_tokens,
    )


def _provenance(run: LongMemEvalResult) -> Provenance:
    """What the run did not keep is not known, and so compares with nothing."""
    kept = run.provenance
    return Provenance(
        tool_version=kept.tool_version if kept else "",
        suite=SUITE,
        language="en",
        seed=run.options.random_seed,
        history=run.options.history_injection_mode,
        dataset_sha256=kept.bundle_sha256 if kept else None,
        question_ids_sha256=kept.selected_ids_fingerprint if kept else None,
        release_id=kept.release_id if kept else None,
        release_digest=kept.release_digest if kept else None,
        pipeline_digest=kept.pipeline_digest if kept else None,
        judge_fingerprints=(kept.judge_system_fingerprints or ()) if kept else (),
        job_ids=(run.job_id,),
        checkpoint=kept.checkpoint if kept else None,
    )
