"""A gateway whose cycle runs under the practice release keeps to the cycle's dates, by the database's clock."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from tests.integration.gateway.callers import CHECKLIST, admitted, bearer, job_where, start_job
from tests.integration.gateway.gateway_process import Running, free_port, start_gateway, wait_ready
from tests.integration.gateway.played_services import finish

from aml.runtime.bus import Bus

DAY = timedelta(days=1)


def a_cycle(opens: datetime, materials: datetime, closes: datetime) -> str:
    words = '{ en = "Cycle", zh = "一期" }'
    return f"""
cycle_id = "trial"
name = {words}
about = {words}
published = {words}
timezone = "UTC"
opens_at = {opens.isoformat()}
materials_close_at = {materials.isoformat()}
evaluation_closes_at = {closes.isoformat()}
eligibility = []
prizes = []
quotas = {{}}

[[tracks]]
track = "textual"
divisions = ["open_source", "commercial"]
release_id = "practice"
about = {words}
"""


@pytest.fixture(
    params=[
        ("cycle_not_open", (1, 2, 3)),
        ("cycle_closed", (-3, -2, -1)),
        ("materials_late", (-3, -1, 1)),
        (None, (-1, 1, 2)),
    ],
    ids=lambda param: str(param[0]),
)
def dated(request: pytest.FixtureRequest, gateway: Running, tmp_path: Path) -> Iterator[tuple[str, str | None]]:
    """Another process on the same database, with a cycle of its own; and the reason that it gives, if any."""
    reason, days = request.param
    now = datetime.now(UTC).replace(microsecond=0)
    (tmp_path / "cycles").mkdir()
    (tmp_path / "cycles" / "trial.toml").write_text(a_cycle(*(now + day * DAY for day in days)), "utf-8")
    port, log = free_port(), tmp_path / "gateway.log"
    environment = gateway.environment | {
        "AML_HTTP_PORT": str(port),
        "AML_FILES_CYCLES": str(tmp_path / "cycles"),
    }
    process = start_gateway(environment, log)
    try:
        wait_ready(f"http://127.0.0.1:{port}", process, log)
        yield f"http://127.0.0.1:{port}/api/v1", reason
    finally:
        process.terminate()
        assert process.wait(timeout=15) == 0, log.read_text()


async def test_a_full_run_keeps_to_the_dates_and_a_smoke_need_not(
    api: httpx.AsyncClient, bus: Bus, gateway: Running, dated: tuple[str, str | None]
) -> None:
    url, reason = dated
    participant = await admitted(api, gateway)
    async with httpx.AsyncClient(base_url=url, timeout=15) as dated_api:
        smoke = await start_job(dated_api, participant)
        assert smoke.status_code == 201, smoke.text
        await finish(bus, participant, smoke.json(), ["correct"])
        await job_where(api, participant.key, smoke.json()["job_id"], stage="ended")

        full = await start_job(dated_api, participant, mode="full", checklist=CHECKLIST)
        shown = (await dated_api.get("/cycles/trial")).json()

    if reason is None:
        assert full.status_code == 201, full.text
        assert shown["state"] == "open"
        return
    detail = full.json()["detail"]
    assert (full.status_code, detail["reason"]) == (409, reason)
    closes = datetime.fromisoformat(shown["cycle"]["evaluation_closes_at"])
    assert datetime.fromisoformat(detail["evaluation_closes_at"]) == closes
    jobs = (await api.get("/jobs", headers=bearer(participant.key))).json()["jobs"]
    assert [job["mode"] for job in jobs] == ["smoke"]
