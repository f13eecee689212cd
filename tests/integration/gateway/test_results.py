"""Private results over HTTP: one question whole, a comparison with an earlier run, files, and nobody else's."""

import csv
import io
import json

import httpx
import pytest
from tests.integration.gateway.callers import admitted, bearer, job_where, start_job
from tests.integration.gateway.gateway_process import Running
from tests.integration.gateway.played_evidence import finish_with_evidence, question_unit
from tests.integration.gateway.played_services import finish

from aml.runtime.bus import Bus

PATHS = (
    *("", "/events", "/results", "/questions", f"/questions/{question_unit(0)}", "/comparison?with=job-0"),
    *("/results.json", "/results.csv", "/questions.jsonl", "/questions.csv", "/contract"),
)


async def test_one_question_is_shown_whole(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()
    await finish_with_evidence(bus, gateway, participant, job, ["incorrect", "correct", "correct"])
    await job_where(api, participant.key, job["job_id"], stage="ended")
    path, key = f"/jobs/{job['job_id']}", bearer(participant.key)

    listed = (await api.get(f"{path}/questions?category=c&q=SMOKE", headers=key)).json()
    shown = (await api.get(f"{path}/questions/{listed['questions'][0]['unit']}", headers=key)).json()
    said = (await api.get(f"{path}/questions?q=on%20DAY%201", headers=key)).json()
    none = (await api.get(f"{path}/questions?reason=transport", headers=key)).json()
    slow = (await api.get(f"{path}/questions?sort=slowest_first&limit=1&text=false", headers=key)).json()
    results = (await api.get(f"{path}/results", headers=key)).json()
    unknown = await api.get(f"{path}/questions/{'0' * 20}", headers=key)

    assert [row["question"] for row in listed["questions"]] == [f"Where did she go on day {n}?" for n in range(3)]
    assert [row["item"] for row in said["questions"]] == [1]
    assert shown["question"]["text"] == "Where did she go on day 0?"
    assert [memory["content"] for memory in shown["memories"]] == ["memory of day 0", "=HYPERLINK(1)"]
    assert (shown["answer"]["text"], shown["verdict"]["reason"]) == ("Porto", "expected Lisbon")
    assert (shown["gold_shown"], shown["gold"]["answers"]) == (True, ["Lisbon"])  # the practice release shows it
    assert (none["total"], slow["questions"][0]["item"], slow["questions"][0]["question"]) == (0, 2, None)
    (measured,) = results["measures"]
    assert (measured["searched"], measured["search_p50"], measured["search_p99"]) == (3, 2000, 3000)
    assert (measured["context_tokens"], measured["context_tokens_mean"]) == (60, 20)
    assert (unknown.status_code, unknown.json()["detail"]["reason"]) == (404, "question_unknown")


async def test_what_got_worse_since_an_earlier_run(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    key = bearer(participant.key)
    runs = []
    for outcomes in (
        ["correct", "correct", "incorrect", "correct"],
        ["correct", "incorrect", "incorrect", "incorrect"],
    ):
        job = (await start_job(api, participant)).json()
        await finish_with_evidence(bus, gateway, participant, job, outcomes)
        await job_where(api, participant.key, job["job_id"], stage="ended")
        runs.append(job["job_id"])
    before, now = runs

    found = (await api.get(f"/jobs/{now}/comparison?with={before}&limit=1", headers=key)).json()
    itself = await api.get(f"/jobs/{now}/comparison?with={now}", headers=key)
    missing = await api.get(f"/jobs/{now}/comparison?with=job-0", headers=key)

    assert (found["common"], found["regressions"], found["improvements"]) == (4, 2, 0)
    assert (found["mcnemar"]["only_before"], found["mcnemar"]["p_value"]) == (2, 500_000)
    assert found["same_release"] is True
    assert [row["question"] for row in found["regressed"]] == ["Where did she go on day 1?"]
    assert itself.status_code == 422
    assert missing.status_code == 404


async def test_files_hold_every_question_and_no_formula(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()
    await finish_with_evidence(bus, gateway, participant, job, ["incorrect", "correct"])
    await job_where(api, participant.key, job["job_id"], stage="ended")
    path, key = f"/jobs/{job['job_id']}", bearer(participant.key)

    table = await api.get(f"{path}/questions.csv", headers=key)
    lines = await api.get(f"{path}/questions.jsonl?details=true", headers=key)
    scores = await api.get(f"{path}/results.csv", headers=key)
    whole = await api.get(f"{path}/results.json", headers=key)

    rows = list(csv.DictReader(io.StringIO(table.text, newline="")))
    assert {row["outcome"] for row in rows} == {"incorrect", "correct"}
    assert {json.loads(line)["question"]["question_id"] for line in lines.text.splitlines()} == {"q0", "q1"}
    assert scores.text.startswith("scope,dataset,name")
    assert whole.json()["job_id"] == job["job_id"]
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert f"{job['job_id']}-questions.csv" in table.headers["content-disposition"]


@pytest.mark.parametrize("path", PATHS)
async def test_another_keys_job_is_an_unknown_one(
    api: httpx.AsyncClient, bus: Bus, gateway: Running, path: str, strangers: tuple[str, str]
) -> None:
    stranger_key, job_id = strangers

    strange = await api.get(f"/jobs/{job_id}{path}", headers=bearer(stranger_key))
    unknown = await api.get(f"/jobs/job-0000000000000000{path}", headers=bearer(stranger_key))

    assert strange.status_code == unknown.status_code == 404
    assert strange.json()["detail"]["reason"] == unknown.json()["detail"]["reason"] == "job_unknown"


@pytest.fixture
async def strangers(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> tuple[str, str]:
    """A key, and a job of another one."""
    participant, stranger = await admitted(api, gateway), await admitted(api, gateway)
    job = (await start_job(api, participant)).json()
    await finish(bus, participant, job, ["correct"])
    await job_where(api, participant.key, job["job_id"], stage="ended")
    return stranger.key, job["job_id"]
