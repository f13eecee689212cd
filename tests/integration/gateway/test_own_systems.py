"""Reviewers decide nothing about the systems of their own organisation or key."""

import httpx
from tests.integration.gateway.callers import admitted, an_application, bearer, event_on
from tests.integration.gateway.gateway_process import Running
from tests.integration.gateway.reviewed_jobs import file_of, passed_job

from aml.runtime.bus import Bus


async def test_nobody_reviews_their_own_organisations_system(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    operator = bearer(gateway.operator_key)
    owner = await admitted(api, gateway, organisation="Quiet River Lab")
    job, _ = await passed_job(api, bus, owner)
    made = (await api.post("/operator/keys", json={"role": "reviewer"}, headers=operator)).json()
    link = f"/operator/keys/{made['key_id']}/reviewer-link"
    approve = {"decision": "approve", "reason": "good"}

    for body in ({"organisation": "quiet river LAB."}, {"participant_key_id": owner.key_id}):
        assert (await api.put(link, json=body, headers=operator)).status_code == 200
        refused = await api.post(f"/jobs/{job['job_id']}/review", json=approve, headers=bearer(made["key"]))
        assert (refused.status_code, refused.json()["detail"]["reason"]) == (403, "own_system")
        assert (await file_of(api, made["key"], job))["own_system"] is True

    second = await event_on(bus, f"aml.v1.decision.{made['key_id']}.decision_explained.reviewer_linked-2")
    assert (second.number, second.reason) == (2, f"key {owner.key_id}")
    await api.put(link, json={"organisation": "quiet river LAB."}, headers=operator)
    further = (await api.post("/access-requests", json=an_application(organisation="Quiet River Lab"))).json()
    path = f"/access-requests/{further['access_id']}/approve"
    approved = await api.post(path, json={"override_reason": "nobody listens there"}, headers=bearer(made["key"]))
    assert (approved.status_code, approved.json()["detail"]["reason"]) == (403, "own_system")

    wrong = [
        await api.put(link, json={"participant_key_id": made["key_id"]}, headers=operator),
        await api.put(f"/operator/keys/{owner.key_id}/reviewer-link", json={}, headers=operator),
        await api.put("/operator/keys/key-none/reviewer-link", json={}, headers=operator),
        await api.put(link, json={}, headers=bearer(made["key"])),
    ]
    assert [answer.status_code for answer in wrong] == [422, 422, 404, 403]
    await api.put(link, json={}, headers=operator)
    decided = await api.post(f"/jobs/{job['job_id']}/review", json=approve, headers=bearer(made["key"]))
    assert decided.status_code == 200
