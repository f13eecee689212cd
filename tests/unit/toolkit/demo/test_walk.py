"""A walk that cannot go on says at which step, and why."""

from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from tests.factories.platform_views import a_failure, a_job, as_json, results_of
from tests.factories.results import a_gate

from aml.contracts.seals import GateCheck
from aml.gateway.jobs.views import Counts, Job
from aml.gateway.results.views import Results
from aml.toolkit.demo.cast import BASELINES
from aml.toolkit.demo.walk import Guide, StepFailed, walk_baseline
from aml.toolkit.evaluation.follow_job import Patience
from aml.toolkit.evaluation.progress import PlainLines
from aml.toolkit.platform import Platform

REFUSED = GateCheck(name="unique", passed=False, code="already_passed", expected="none", found="job-0", entries=())


def a_guide(job: Job, results: Results, lines: list[str]) -> Guide:
    answers: dict[str, Any] = {
        "/api/v1/operator/runs": job,
        f"/api/v1/jobs/{job.job_id}": job,
        f"/api/v1/jobs/{job.job_id}/results": results,
        f"/api/v1/jobs/{job.job_id}/review": {"job_id": job.job_id, "number": 1, "decision": "approve"},
    }
    http = httpx.AsyncClient(
        transport=httpx.MockTransport(lambda request: httpx.Response(200, content=as_json(answers[request.url.path])))
    )
    platform = Platform("http://platform", "key", http=http)
    patience = Patience(logs=Path("/logs"))
    return Guide(
        public=platform, operator=platform, reviewer=platform, view=PlainLines(lines.append), patience=patience
    )


async def test_a_baseline_walks_to_its_approval() -> None:
    lines: list[str] = []
    walked = await walk_baseline(
        a_guide(a_job(done=120), results_of(a_gate("job-1")), lines), BASELINES[0], version="1"
    )

    assert (walked.full.job_id, walked.decision, walked.smoke) == ("job-1", "approve", None)
    steps = [line.split(": ")[1] for line in lines]
    assert steps == ["full queued", "full finished 120/120", "gate", "review", "publication"]


async def test_a_refusal_of_the_gate_names_the_checks() -> None:
    results = msgspec.structs.replace(results_of(a_gate("job-1")), gate="refused", checks=(REFUSED,))

    with pytest.raises(StepFailed, match=r"No memory did not get past the gate: unique \(already_passed: job-0\)"):
        await walk_baseline(a_guide(a_job(done=120), results, []), BASELINES[0], version="1")


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (a_job(state="failed", failure=a_failure()), r"failed in stage retrieval \(contract\): Search: id is an empty"),
        (
            a_job(counts=Counts(planned=12, scored=11, correct=1, incorrect=10, graded=0, unscored=1)),
            "is completed, with 1 of 12 questions unscored",
        ),
        (a_job(state="cancelled"), "is cancelled"),
    ],
)
async def test_an_incomplete_job_ends_the_walk(job: Job, said: str) -> None:
    with pytest.raises(StepFailed, match=f"No memory did not get past full: job job-1 {said}"):
        await walk_baseline(a_guide(job, results_of(a_gate("job-1")), []), BASELINES[0], version="1")
