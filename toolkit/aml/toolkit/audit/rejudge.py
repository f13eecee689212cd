"""Scores a job's stored answers again under another release's judge, and says where the two differ."""

import asyncio
from collections.abc import Iterator, Sequence

from msgspec import Struct

from aml.contracts.benchmark import Gold, Question
from aml.contracts.packs import AnswerRecord, GoldPack, QuestionPack, VerdictRecord
from aml.contracts.units import AnswerGenerated, SamplePlanned
from aml.contracts.verdicts import AnswerScored
from aml.judge.errors import UnscoredError
from aml.judge.model_calls.completion import ChatModel
from aml.judge.scoring.score import score
from aml.rules.intervals import mean_millionths
from aml.rules.mcnemar import mcnemar
from aml.runtime.release_folder import LoadedRelease

from .opened_job import OpenedJob


class Rejudged(Struct, frozen=True, kw_only=True):
    dataset: str
    question_id: str
    category: str
    question: str
    answer: str
    before: int
    """Millionths."""
    after: int | None
    """None where the new judge gave no verdict."""
    rule_before: str
    rule_after: str
    reason_before: str
    reason_after: str


class Rejudgement(Struct, frozen=True, kw_only=True):
    job_id: str
    release_id: str
    release_digest: str
    questions: tuple[Rejudged, ...]
    agreed: int
    better: int
    worse: int
    unscored: int
    mean_before: int | None
    """Millionths, over the questions that both judged; None when there are none."""
    mean_after: int | None
    p_value: int
    """McNemar's exact test over the questions that moved, in millionths."""


class _Case(Struct, frozen=True, kw_only=True):
    scored: AnswerScored
    question: Question
    gold: Gold
    answer: AnswerRecord
    verdict: VerdictRecord


async def rejudge(job: OpenedJob, release: LoadedRelease, model: ChatModel | None) -> Rejudgement:
    """Every question that has a score, in the log's order. Raises `EvidenceClosed`."""
    cases = list(_cases(job))
    gate = asyncio.Semaphore(max(1, release.release.judge.concurrency))

    async def one(case: _Case) -> Rejudged:
        async with gate:
            return await _again(case, release, model)

    questions = await asyncio.gather(*(one(case) for case in cases))
    return _summary(job.job_id, release, questions)


def _cases(job: OpenedJob) -> Iterator[_Case]:
    samples = {e.event.unit: e.event for e in job.entries if isinstance(e.event, SamplePlanned)}
    answers = {e.event.unit: e.event for e in job.entries if isinstance(e.event, AnswerGenerated)}
    packs: dict[str, tuple[QuestionPack, GoldPack]] = {}
    for entry in job.entries:
        scored = entry.event
        if not isinstance(scored, AnswerScored) or scored.unit not in answers or scored.sample not in samples:
            continue
        if scored.sample not in packs:
            sample = samples[scored.sample]
            packs[scored.sample] = job.open(sample.question_pack, QuestionPack), job.open(sample.gold_pack, GoldPack)
        questions, golds = packs[scored.sample]
        yield _Case(
            scored=scored,
            question=questions.questions[scored.index],
            gold=golds.gold[scored.index],
            answer=job.open(answers[scored.unit].answer, AnswerRecord),
            verdict=job.open(scored.verdict, VerdictRecord),
        )


async def _again(case: _Case, release: LoadedRelease, model: ChatModel | None) -> Rejudged:
    after: int | None = None
    try:
        verdict = await score(case.question, case.gold, case.answer, release, model)
        after, rule, reason = verdict.score, verdict.rule, verdict.reason
    except UnscoredError as error:
        rule, reason = "unscored", str(error)
    return Rejudged(
        dataset=case.scored.dataset,
        question_id=case.question.question_id,
        category=case.scored.category,
        question=case.question.text,
        answer=case.answer.text,
        before=case.scored.score,
        after=after,
        rule_before=case.scored.rule,
        rule_after=rule,
        reason_before=case.verdict.reason,
        reason_after=reason,
    )


def _summary(job_id: str, release: LoadedRelease, questions: Sequence[Rejudged]) -> Rejudgement:
    both = [(each.before, each.after) for each in questions if each.after is not None]
    better = sum(after > before for before, after in both)
    worse = sum(after < before for before, after in both)
    return Rejudgement(
        job_id=job_id,
        release_id=release.release.release_id,
        release_digest=release.digest,
        questions=tuple(questions),
        agreed=len(both) - better - worse,
        better=better,
        worse=worse,
        unscored=len(questions) - len(both),
        mean_before=mean_millionths(sum(before for before, _ in both), len(both)) if both else None,
        mean_after=mean_millionths(sum(after for _, after in both), len(both)) if both else None,
        p_value=mcnemar(better, worse),
    )
