"""A job whose questions have their evidence: packs, memories, answers and verdicts, as the services would leave them."""

from pathlib import Path
from typing import Any

from tests.integration.gateway.callers import Participant
from tests.integration.gateway.gateway_process import Running
from tests.integration.gateway.played_services import ended, planned

from aml.contracts.benchmark import Gold, Question
from aml.contracts.events import Event
from aml.contracts.packs import AnswerRecord, ChunkPack, GoldPack, QuestionPack, VerdictRecord
from aml.contracts.participant import Memory
from aml.contracts.units import AnswerGenerated, QuestionOpened, SamplePlanned, SearchReturned
from aml.contracts.verdicts import AnswerScored
from aml.rules.identity import event_id_at, job_subject, unit_of
from aml.runtime.bus import Bus
from aml.runtime.evidence import EvidenceStore, object_store
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.publish_once import publish_once

DATASET = "practice-smoke"
"""The practice release's own smoke dataset: what two smoke runs have in common."""
SAMPLE = unit_of(DATASET, "s1")


def store_of(gateway: Running) -> EvidenceStore:
    kek = KeyEncryptionKey.from_file(Path(gateway.environment["AML_EVIDENCE_KEK_FILE"]))
    return EvidenceStore(object_store(gateway.environment["AML_EVIDENCE_URL"]), kek)


def question_unit(number: int) -> str:
    return unit_of(DATASET, "s1", f"q{number}")


async def finish_with_evidence(
    bus: Bus, gateway: Running, participant: Participant, job: dict[str, Any], outcomes: list[str]
) -> None:
    evidence, job_id = store_of(gateway), job["job_id"]
    events: list[Event] = [planned(job_id, len(outcomes)), await _sample(evidence, job_id, len(outcomes))]
    for number, outcome in enumerate(outcomes):
        events += await _question(evidence, job_id, number, outcome)
    for event in [*events, *ended(participant, job)]:
        await publish_once(bus, event)


async def _sample(evidence: EvidenceStore, job_id: str, count: int) -> SamplePlanned:
    about = event_id_at(job_subject(job_id, SamplePlanned, SAMPLE))
    numbers = range(count)
    questions = QuestionPack(
        questions=tuple(
            Question(
                question_id=f"q{number}",
                text=f"Where did she go on day {number}?",
                question_type="practice_fact_recall",
                category="c",
                capability="fact_recall",
            )
            for number in numbers
        ),
        units=tuple(map(question_unit, numbers)),
    )
    gold = GoldPack(
        gold=tuple(Gold(question_id=f"q{number}", answers=("Lisbon",)) for number in numbers),
        evidence_texts=((),) * count,
    )
    return SamplePlanned(
        at=1,
        job_id=job_id,
        unit=SAMPLE,
        dataset=DATASET,
        sample_id="s1",
        user_id="u",
        chunks=0,
        questions=count,
        chunk_pack=await evidence.put_json(job_id, about, ChunkPack(chunks=())),
        question_pack=await evidence.put_json(job_id, about, questions),
        gold_pack=await evidence.put_json(job_id, about, gold),
    )


async def _question(evidence: EvidenceStore, job_id: str, number: int, outcome: str) -> list[Event]:
    unit = question_unit(number)
    place: dict[str, Any] = {
        "at": 1, "job_id": job_id, "unit": unit, "sample": SAMPLE, "index": number, "dataset": DATASET,
    }  # fmt: skip

    async def keep(kind: Any, value: object) -> Any:
        return await evidence.put_json(job_id, event_id_at(job_subject(job_id, kind, unit)), value)

    memories = (Memory(id="m1", content=f"memory of day {number}"), Memory(id="m2", content="=HYPERLINK(1)"))
    answer = AnswerRecord(text="Porto", answerer="extractive")
    verdict = VerdictRecord(rule="rule_judge", score=0, reason="expected Lisbon")
    return [
        QuestionOpened(**place),
        SearchReturned(
            **place,
            returned=2,
            memories=await keep(SearchReturned, memories),
            attempts=1,
            latency=1000 * (number + 1),
            received=9,
            attempt_log=None,
        ),
        AnswerGenerated(
            **place,
            answer=await keep(AnswerGenerated, answer),
            answerer="extractive",
            context_items=2,
            prompt_tokens=10 * (number + 1),
            completion_tokens=2,
            primary_calls=1,
            retry_calls=0,
            system_fingerprint=None,
            latency=900,
        ),
        AnswerScored(
            **place,
            category="c",
            capability="fact_recall",
            outcome=outcome,  # type: ignore[arg-type]
            score=1_000_000 if outcome == "correct" else 0,
            in_overall=True,
            rule="rule_judge",
            verdict=await keep(AnswerScored, verdict),
            evidence_recall=None,
            primary_calls=0,
            retry_calls=0,
        ),
    ]
