"""AnswerGenerated → AnswerScored or UnitUnscored: the release's rule for the question's type, applied to answer and gold."""

from dataclasses import dataclass

from aml.contracts.packs import AnswerRecord
from aml.contracts.participant import Memory
from aml.contracts.units import AnswerGenerated
from aml.contracts.verdicts import AnswerScored
from aml.rules.identity import event_id, event_id_at, job_subject
from aml.runtime.bus import Bus
from aml.runtime.clock import Clock
from aml.runtime.lane import Delivery
from aml.runtime.open_jobs import OpenJobs
from aml.runtime.publish_once import publish_once
from aml.runtime.releases import Releases
from aml.runtime.sample_packs import SamplePacks

from .after_failure import after_failure
from .answerers.memory_text import texts_of
from .calibration.calibrate_once import Calibrations
from .chat_models import ChatModels
from .errors import UnscoredError
from .recent_evidence import RecentEvidence
from .recent_searches import RecentSearches
from .scoring.evidence_recall import evidence_recall
from .scoring.score import score


@dataclass(frozen=True)
class AnswerScorer:
    bus: Bus
    clock: Clock
    evidence: RecentEvidence
    searches: RecentSearches
    jobs: OpenJobs
    packs: SamplePacks
    releases: Releases
    models: ChatModels
    calibrations: Calibrations

    async def score(self, generated: AnswerGenerated, delivery: Delivery) -> None:
        job_id, sample, index = generated.job_id, generated.sample, generated.index
        job = await self.jobs.get(job_id)
        if job is None:
            return
        subject = job_subject(job_id, AnswerScored, generated.unit)
        if delivery.redelivered and await self.bus.last_event(subject) is not None:
            return
        release = self.releases.loaded(job.requested.release_id)
        question = (await self.packs.questions(job_id, sample)).questions[index]
        golds = await self.packs.gold(job_id, sample)
        answered = await self.evidence.open_json(job_id, event_id(generated), generated.answer, AnswerRecord)
        try:
            await self.calibrations.before_scoring(job.requested, release)
            verdict = await score(question, golds.gold[index], answered, release, self.models.judging(release))
        except UnscoredError as error:
            ending = after_failure(
                generated,
                delivery,
                error,
                stage="scoring",
                question=question,
                policy=release.release.retry,
                now_ms=self.clock.now_ms(),
            )
            await publish_once(self.bus, ending)
            return
        scored = AnswerScored(
            at=self.clock.now_ms(),
            job_id=job_id,
            unit=generated.unit,
            sample=sample,
            index=index,
            dataset=generated.dataset,
            category=question.category,
            capability=question.capability,
            outcome=verdict.outcome,
            score=verdict.score,
            in_overall=question.in_overall,
            rule=verdict.rule,
            verdict=await self.evidence.put_json(job_id, event_id_at(subject), verdict.as_record()),
            evidence_recall=await self._evidence_recall(generated, golds.evidence_texts[index]),
            primary_calls=verdict.primary_calls,
            retry_calls=verdict.retry_calls,
        )
        await publish_once(self.bus, scored)

    async def _evidence_recall(self, generated: AnswerGenerated, evidence_texts: tuple[str, ...]) -> int | None:
        if not evidence_texts:
            return None
        returned = await self.searches.of(generated.job_id, generated.unit)
        if returned is None:
            return None
        memories = await self.evidence.open_json(
            generated.job_id, event_id(returned), returned.memories, tuple[Memory, ...]
        )
        return evidence_recall(evidence_texts, texts_of(memories))
