"""What the operator sees at a glance: open jobs, keys, lanes, quotas and problems."""

import httpx
from tests.integration.gateway.callers import admitted, bearer, start_job
from tests.integration.gateway.gateway_process import Running


async def test_the_operators_overview(api: httpx.AsyncClient, gateway: Running) -> None:
    owner = await admitted(api, gateway)
    job = (await start_job(api, owner)).json()

    answer = await api.get("/operator/overview", headers=bearer(gateway.operator_key))

    assert answer.status_code == 200, answer.text
    seen = answer.json()
    assert job["job_id"] in [each["job_id"] for each in seen["open_jobs"]]
    assert {each["role"] for each in seen["keys"]} >= {"operator", "participant"}
    assert any(lane["name"].startswith("gateway-") for lane in seen["lanes"])
    assert seen["projection_waiting"] is not None
    assert seen["problems"] == {}
    assert [each["release_id"] for each in seen["quotas"] if each["default"]] == ["practice"]
