"""What the gateway answers, with only what matters to a test stated."""

from datetime import UTC, datetime
from typing import Any

import msgspec
from tests.factories.results import MARCH_2026, digest_of

from aml.contracts.seals import GatePassed
from aml.gateway.jobs.views import Counts, Failure, Job, StageProgress
from aml.gateway.results.views import Results

AT = datetime.fromtimestamp(MARCH_2026 / 1000, UTC)


def a_job(job_id: str = "job-1", *, stage: str = "ended", done: int = 0, total: int | None = 120, **other: Any) -> Job:
    counts = other.pop("counts", None) or Counts(
        planned=total, scored=done, correct=done, incorrect=0, graded=0, unscored=0
    )
    values: dict[str, Any] = {
        "job_id": job_id, "version_id": "ver-1", "system": "Recall", "version": "1", "track": "textual",
        "division": "open_source", "mode": "run", "arm": "participant", "run_label": "spring",
        "release_id": "practice", "release_digest": digest_of("release"), "add_concurrency": 4,
        "search_concurrency": 16, "requested_at": AT, "state": "completed", "sealed": True, "ended_at": AT,
        "stage": stage, "stages": (StageProgress(stage="retrieval", done=done, total=total),), "counts": counts,
        "rate_per_second": None, "eta_seconds": None, "heartbeat_age_seconds": None, "retries": 0, "requeued": 0,
        "parked": 0, "failure": None, "gate": "refused", "decision": None,
    }  # fmt: skip
    return Job(**(values | other))


def a_failure(reason: str = "contract") -> Failure:
    return Failure(stage="retrieval", reason=reason, detail="Search: id is an empty string")


def results_of(gate: GatePassed) -> Results:
    return Results(
        job_id=gate.job_id, gate="passed", subject=gate.subject, seal=gate.seal, result=gate.result, checks=gate.checks
    )


def as_json(value: Any) -> bytes:
    return msgspec.json.encode(value)
