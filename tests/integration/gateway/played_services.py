"""What ingest, retrieval, judge and ledger would state; here the test plays them."""

from typing import Any

from tests.integration.gateway.callers import Participant

from aml.contracts.envelope import EvidenceRef
from aml.contracts.events import Event
from aml.contracts.jobs import JobPlanned
from aml.contracts.seals import GatePassed, JobResult, JobSealed, Latencies, RowSubject
from aml.contracts.units import AnswerGenerated, ChunkAdded, QuestionOpened, SearchReturned
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.runtime.bus import Bus
from aml.runtime.publish_once import publish_once

REF = EvidenceRef(digest="a" * 64, size=1, media_type="application/json")


def planned(job_id: str, questions: int, chunks: int = 1) -> JobPlanned:
    return JobPlanned(
        at=1,
        job_id=job_id,
        release_digest="a" * 64,
        pipeline_digest="b" * 64,
        datasets=(),
        samples=1,
        chunks=chunks,
        questions=questions,
        add_concurrency=1,
        search_concurrency=1,
    )


def unit_events(job_id: str, unit: str, index: int, outcome: str) -> list[Event]:
    place: dict[str, Any] = {"at": 1, "job_id": job_id, "unit": unit, "sample": "s1", "index": index, "dataset": "d"}
    opened = QuestionOpened(**place)
    searched = SearchReturned(**place, returned=3, memories=REF, attempts=2, latency=1500, received=9, attempt_log=None)
    if outcome == "unscored":
        return [
            opened,
            searched,
            UnitUnscored(
                **place,
                category="c",
                stage="answer",
                reason="transport",
                detail="gone\x00",
                attempts=2,
                attempt_log=None,
            ),
        ]
    return [
        opened,
        searched,
        AnswerGenerated(
            **place,
            answer=REF,
            answerer="extractive",
            context_items=2,
            prompt_tokens=10,
            completion_tokens=2,
            primary_calls=1,
            retry_calls=0,
            system_fingerprint=None,
            latency=900,
        ),
        AnswerScored(
            **place,
            category="c",
            capability="other",
            outcome=outcome,  # type: ignore[arg-type]
            score=1_000_000 if outcome == "correct" else 0,
            in_overall=True,
            rule="rule_judge",
            verdict=REF,
            evidence_recall=None,
            primary_calls=0,
            retry_calls=0,
        ),
    ]


async def finish(bus: Bus, participant: Participant, job: dict[str, Any], outcomes: list[str]) -> None:
    """What ingest, retrieval, judge and ledger would say of a job."""
    job_id = job["job_id"]
    chunk = ChunkAdded(
        at=1,
        job_id=job_id,
        unit="c1",
        sample="s1",
        index=0,
        messages=2,
        attempts=1,
        latency=5,
        received=9,
        attempt_log=None,
    )
    events: list[Event] = [planned(job_id, len(outcomes)), chunk]
    for index, outcome in enumerate(outcomes):
        events += unit_events(job_id, f"u{index}", index, outcome)
    for event in [*events, *ended(participant, job)]:
        await publish_once(bus, event)


def ended(participant: Participant, job: dict[str, Any]) -> list[Event]:
    """What the ledger would say last."""
    job_id = job["job_id"]
    none = Latencies(calls=0, p50=None, p95=None, p99=None)
    return [
        JobSealed(at=1, job_id=job_id, state="completed", entries=9, last_leaf="c" * 64),
        GatePassed(
            at=1,
            job_id=job_id,
            subject=RowSubject(
                key_id=participant.key_id,
                version_id=participant.version_id,
                system=job["system"],
                version=job["version"],
                track="textual",
                division="open_source",
                arm="participant",
                mode=job["mode"],
                run_label=job["run_label"],
                release_id=job["release_id"],
                release_digest=job["release_digest"],
                allow_private=True,
            ),
            seal="d" * 64,
            result=JobResult(
                overall=None, interval=None, datasets=(), add=none, search=none, retries=0, context_tokens=0
            ),
            checks=(),
            sketch=None,
        ),
    ]
