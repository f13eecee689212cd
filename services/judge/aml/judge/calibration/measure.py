"""One release's judge on the labelled answers, by the same rules and prompts that score a job's."""

import asyncio
from collections.abc import Sequence

from msgspec import Struct

from aml.contracts.benchmark import Gold, Question
from aml.contracts.calibration import CalibrationCase, JudgeCalibrated
from aml.contracts.packs import AnswerRecord
from aml.judge.errors import ModelReplyUnusable, VerdictUnreadable
from aml.judge.model_calls.completion import ChatModel
from aml.judge.scoring.score import score
from aml.rules.calibration import Agreement, Judged, agreement_of, details_digest, judge_name
from aml.runtime.release_folder import LoadedRelease

from .calibration_set import CalibrationSet

_HALF = 500_000
"""Half the score or more is a "correct": for rules that grade. Those of the bundled releases give all or nothing here."""


class Measured(Struct, frozen=True, kw_only=True):
    answers: CalibrationSet
    judged: tuple[Judged, ...]
    reasons: tuple[str, ...]
    """Why the judge decided as it did, beside `judged`."""
    agreement: Agreement


async def measure_judge(release: LoadedRelease, answers: CalibrationSet, model: ChatModel | None) -> Measured:
    """Only the cases whose question type the release scores.

    A judge without a readable verdict has not agreed. Raises another `UnscoredError` when the model cannot be asked.
    """
    cases = [case for case in answers.cases if case.question_type in release.release.scoring]
    slots = asyncio.Semaphore(max(1, release.release.judge.concurrency))

    async def one(case: CalibrationCase) -> tuple[Judged, str]:
        async with slots:
            return await _judge(case, release, model)

    found: Sequence[tuple[Judged, str]] = await asyncio.gather(*(one(case) for case in cases))
    judged = tuple(each for each, _ in found)
    return Measured(
        answers=answers, judged=judged, reasons=tuple(reason for _, reason in found), agreement=agreement_of(judged)
    )


def calibrated(measured: Measured, release: LoadedRelease, pipeline: str, now_ms: int) -> JudgeCalibrated:
    agreement = measured.agreement
    return JudgeCalibrated(
        at=now_ms,
        release_id=release.release.release_id,
        release_digest=release.digest,
        pipeline_digest=pipeline,
        judge=judge_name(release.release),
        answers=measured.answers.name,
        answers_sha256=measured.answers.sha256,
        labelled=agreement.labelled,
        agreed=agreement.agreed,
        unread=agreement.unread,
        agreement=agreement.agreement,
        kappa=agreement.kappa,
        kinds=agreement.kinds,
        disagreed=agreement.disagreed,
        details=details_digest(measured.judged),
    )


async def _judge(case: CalibrationCase, release: LoadedRelease, model: ChatModel | None) -> tuple[Judged, str]:
    question, gold = question_of(case)
    verdict: bool | None
    try:
        found = await score(question, gold, AnswerRecord(text=case.answer, answerer="person"), release, model)
    except (VerdictUnreadable, ModelReplyUnusable) as error:
        verdict, reason = None, error.detail
    else:
        verdict, reason = found.score >= _HALF, found.reason
    return Judged(case_id=case.case_id, kind=case.kind, correct=case.correct, verdict=verdict), reason


def question_of(case: CalibrationCase) -> tuple[Question, Gold]:
    question = Question(
        question_id=case.case_id,
        text=case.question,
        question_type=case.question_type,
        category=case.kind,
        capability="other",  # no rule reads it
        options=case.options,
    )
    gold = Gold(question_id=case.case_id, answers=case.references, abstention=case.abstention, rubric=case.rubric)
    return question, gold
