from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.factories.platform_views import AT, a_job, as_json

from aml.gateway.jobs.views import Job
from aml.gateway.operations.views import Parked, ParkedUnit
from aml.toolkit.evaluation import follow_job as module
from aml.toolkit.evaluation.follow_job import JobParked, JobStalled, Patience, follow_job
from aml.toolkit.platform import Platform

LOGS = Path("/home/logs")


def platform(states: list[Job], parked: Parked | None = None) -> Platform:
    """Answers with each state once, and with the last one from then on."""
    left = list(states)

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/parked"):
            return httpx.Response(200, content=as_json(parked))
        return httpx.Response(200, content=as_json(left.pop(0) if len(left) > 1 else left[0]))

    return Platform("http://platform", "key", http=httpx.AsyncClient(transport=httpx.MockTransport(answer)))


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "POLL_SECONDS", 0.001)


async def test_a_job_is_followed_to_its_end() -> None:
    seen: list[str] = []
    states = [a_job(stage=stage) for stage in ("queued", "ingest", "retrieval", "aggregation", "ended")]

    job = await follow_job(
        platform(states), "job-1", patience=Patience(logs=LOGS), on_change=lambda job: seen.append(job.stage)
    )

    assert job.stage == "ended"
    assert seen == ["queued", "ingest", "retrieval", "aggregation", "ended"]


@pytest.mark.parametrize(
    ("stage", "patience", "log"),
    [
        ("retrieval", Patience(logs=LOGS, stall_seconds=0.02), "retrieval.log"),
        ("scoring", Patience(logs=LOGS, stall_seconds=0.02), "judge.log"),
        ("aggregation", Patience(logs=LOGS), "ledger.log"),
        ("queued", Patience(logs=LOGS), "ingest.log"),
    ],
)
async def test_a_job_that_stands_still_names_its_stage_and_log(
    stage: Any, patience: Patience, log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PLATFORM_STALL_SECONDS", 0.02)
    still = platform([a_job(stage=stage, done=3, total=20, state="running")])

    with pytest.raises(JobStalled, match=f"in stage {stage}.*see /home/logs/{log}"):
        await follow_job(still, "job-1", patience=patience, on_change=lambda job: None)


def test_a_participant_may_take_its_time() -> None:
    assert Patience(logs=LOGS).limit("retrieval") == float("inf")
    assert Patience(logs=LOGS).limit("aggregation") == module.PLATFORM_STALL_SECONDS


async def test_parked_units_end_the_wait_with_their_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PARKED_PATIENCE_SECONDS", 0.01)
    unit = ParkedUnit(job_id="job-1", unit="u", stage="scoring", trigger="t", error="KeyError: x", parked_at=AT)
    waiting = platform([a_job(stage="scoring", parked=1, state="running")], Parked(parked=(unit,)))

    with pytest.raises(JobParked, match=r"stage scoring \(KeyError: x\).*judge\.log.*job-1/requeue"):
        await follow_job(waiting, "job-1", patience=Patience(logs=LOGS), on_change=lambda job: None)
