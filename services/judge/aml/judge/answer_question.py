"""SearchReturned → AnswerGenerated: the release's answerer sees the question and the returned memories, nothing else."""

import time
from dataclasses import dataclass

from aml.contracts.participant import Memory
from aml.contracts.units import AnswerGenerated, SearchReturned
from aml.rules.identity import event_id, event_id_at, job_subject
from aml.runtime.bus import Bus
from aml.runtime.clock import Clock
from aml.runtime.lane import Delivery
from aml.runtime.open_jobs import OpenJobs
from aml.runtime.publish_once import publish_once
from aml.runtime.releases import Releases
from aml.runtime.sample_packs import SamplePacks

from .after_failure import after_failure
from .answerers.answer import answer
from .chat_models import ChatModels
from .errors import UnscoredError
from .recent_evidence import RecentEvidence
from .recent_searches import RecentSearches


@dataclass(frozen=True)
class QuestionAnswerer:
    bus: Bus
    clock: Clock
    evidence: RecentEvidence
    searches: RecentSearches
    jobs: OpenJobs
    packs: SamplePacks
    releases: Releases
    models: ChatModels

    async def answer(self, returned: SearchReturned, delivery: Delivery) -> None:
        job = await self.jobs.get(returned.job_id)
        if job is None:
            return
        subject = job_subject(returned.job_id, AnswerGenerated, returned.unit)
        if delivery.redelivered and await self.bus.last_event(subject) is not None:
            return
        self.searches.remember(returned)
        release = self.releases.loaded(job.requested.release_id)
        question = (await self.packs.questions(returned.job_id, returned.sample)).questions[returned.index]
        memories = await self.evidence.open_json(
            returned.job_id, event_id(returned), returned.memories, tuple[Memory, ...]
        )
        started = time.perf_counter_ns()
        try:
            draft = await answer(question, memories, release, self.models.answering(release))
        except UnscoredError as error:
            ending = after_failure(
                returned,
                delivery,
                error,
                stage="answer",
                question=question,
                policy=release.release.retry,
                now_ms=self.clock.now_ms(),
            )
            await publish_once(self.bus, ending)
            return
        latency = (time.perf_counter_ns() - started) // 1000
        generated = AnswerGenerated(
            at=self.clock.now_ms(),
            job_id=returned.job_id,
            unit=returned.unit,
            sample=returned.sample,
            index=returned.index,
            dataset=returned.dataset,
            answer=await self.evidence.put_json(returned.job_id, event_id_at(subject), draft.record),
            answerer=draft.record.answerer,
            context_items=draft.context_items,
            prompt_tokens=draft.prompt_tokens,
            completion_tokens=draft.completion_tokens,
            primary_calls=draft.primary_calls,
            retry_calls=draft.retry_calls,
            system_fingerprint=draft.system_fingerprint,
            latency=latency,
        )
        await publish_once(self.bus, generated)
