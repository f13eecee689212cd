"""The whole story of a small job, from its request to its last score, with the release that it ran under."""

from collections.abc import Sequence
from typing import Any

from tests.factories.events import RELEASE_ID, a_digest, an_event

from aml.contracts.events import Event, encode_event
from aml.contracts.jobs import CategoryCount, DatasetPin, DatasetPlan, JobPlanned, JobRequested
from aml.contracts.release import ModelSettings, PinnedDataset, Release, ReleaseLocked, ScoringRule
from aml.contracts.seals import JobSealed
from aml.contracts.units import (
    AnswerGenerated,
    ChunkAdded,
    QuestionOpened,
    SampleIngested,
    SamplePlanned,
    SearchReturned,
)
from aml.contracts.verdicts import AnswerScored
from aml.rules.entry import ReadEntry, entry_bytes, read_entry
from aml.rules.identity import event_id, unit_of
from aml.rules.merkle import leaf_hash

CATEGORIES = ("fact_recall", "temporal")


def a_release(questions: int = 4, **changes: Any) -> Release:
    pinned = PinnedDataset(
        name="practice", adapter="practice", version="1", sha256=a_digest("bundle"), samples=1, questions=questions
    )
    fields: dict[str, Any] = {
        "release_id": RELEASE_ID,
        "title": "Practice",
        "comparable": False,
        "track": "textual",
        "top_k": 20,
        "answer": ModelSettings(kind="extractive"),
        "judge": ModelSettings(kind="rules"),
        "scoring": {name: ScoringRule(rule="rule_judge") for name in CATEGORIES},
        "datasets": (pinned,),
        "smoke_datasets": (),
    }
    return Release(**(fields | changes))


def a_release_locked() -> ReleaseLocked:
    return an_event(ReleaseLocked)  # type: ignore[no-any-return]


def a_job(job_id: str = "job-1", *, questions: int = 4, wrong: int = 1, chunks: int = 2, **request: Any) -> list[Event]:
    """All facts up to the last score. The first `wrong` questions are answered wrongly; categories alternate."""
    sample = unit_of("practice", job_id)
    counts = [sum(each % 2 == parity for each in range(questions)) for parity in (0, 1)]
    plan = DatasetPlan(
        name="practice",
        adapter="practice",
        version="1",
        sha256=a_digest("bundle"),
        samples=1,
        sessions=1,
        turns=4,
        chunks=chunks,
        questions=questions,
        categories=tuple(CategoryCount(category=c, questions=n) for c, n in zip(CATEGORIES, counts, strict=True)),
    )
    pin = DatasetPin(name="practice", adapter="practice", version="1", sha256=a_digest("bundle"))
    events: list[Event] = [
        an_event(JobRequested, job_id=job_id, datasets=(pin,), **request),
        an_event(JobPlanned, job_id=job_id, datasets=(plan,), samples=1, chunks=chunks, questions=questions),
        an_event(SamplePlanned, job_id=job_id, unit=sample, chunks=chunks, questions=questions),
    ]
    events += [
        an_event(ChunkAdded, job_id=job_id, unit=unit_of(sample, "chunk", str(i)), sample=sample, index=i)
        for i in range(chunks)
    ]
    events.append(an_event(SampleIngested, job_id=job_id, unit=sample, chunks=chunks))
    for index in range(questions):
        events += a_question(job_id, sample, index, correct=index >= wrong)
    return events


def a_question(job_id: str, sample: str, index: int, *, correct: bool = True) -> list[Event]:
    key: dict[str, Any] = {
        "job_id": job_id, "unit": unit_of(sample, str(index)), "sample": sample, "index": index, "dataset": "practice",
    }  # fmt: skip
    return [
        an_event(QuestionOpened, **key),
        an_event(SearchReturned, **key),
        an_event(AnswerGenerated, answerer="extractive", **key),
        an_event(
            AnswerScored,
            category=CATEGORIES[index % 2],
            outcome="correct" if correct else "incorrect",
            score=1_000_000 if correct else 0,
            **key,
        ),
    ]


def chained(events: Sequence[Event], *, start: int = 0) -> list[ReadEntry]:
    """The entries of one job's events, as a log that holds nothing else between them would have them."""
    entries: list[ReadEntry] = []
    prev: str | None = None
    for seq, event in enumerate(events):
        body = entry_bytes(
            event=encode_event(event), event_id=event_id(event), index=start + seq, job_seq=seq, prev=prev
        )
        prev = leaf_hash(body).hex()
        entries.append(read_entry(body))
    return entries


def sealed(events: Sequence[Event], *, start: int = 0, **changes: Any) -> list[ReadEntry]:
    """`chained`, closed by the seal that belongs to it (or by one with `changes`)."""
    entries = chained(events, start=start)
    job_id = getattr(events[0], "job_id", "")
    seal = an_event(JobSealed, job_id=job_id, entries=len(entries), last_leaf=entries[-1].leaf)
    changed = an_event(
        JobSealed, **({"job_id": job_id, "entries": seal.entries, "last_leaf": seal.last_leaf} | changes)
    )
    return chained([*events, changed], start=start)
