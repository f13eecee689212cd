"""What participants attest of a run's data, and who has not yet."""

import hashlib
from typing import Any

import httpx
import psycopg
from tests.integration.gateway.callers import admitted, bearer, event_on, job_where, start_job
from tests.integration.gateway.gateway_process import Running
from tests.integration.gateway.played_services import finish
from tests.integration.gateway.reviewed_jobs import Job

from aml.contracts.deletion import DeletionAttested
from aml.rules.identity import job_subject
from aml.runtime.bus import Bus


async def test_deletions_are_attested_once_and_the_overdue_are_listed(
    api: httpx.AsyncClient, bus: Bus, gateway: Running, gateway_database: str
) -> None:
    owner, stranger = await admitted(api, gateway), await admitted(api, gateway)
    job: Job = (await start_job(api, owner)).json()
    path = f"/jobs/{job['job_id']}/deletion-attestation"
    statement = {"statement": "All rows of the run's users were dropped on 1 December."}
    early = await api.post(path, json=statement, headers=bearer(owner.key))
    await finish(bus, owner, job, ["correct"])
    await job_where(api, owner.key, job["job_id"], state="completed")

    async def owed(key: str, query: str = "") -> dict[str, Any]:
        answer = await api.get(f"/deletion-attestations?limit=500&{query}", headers=bearer(key))
        assert answer.status_code == 200, answer.text
        return {item["job_id"]: item for item in answer.json()["attestations"]}

    assert early.json()["detail"]["reason"] == "job_active"
    assert (await owed(owner.key))[job["job_id"]]["state"] == "open"
    assert await owed(stranger.key) == {}

    # the database's clock decides, to the second
    for age, state in (("30 days - 10 minutes", "open"), ("30 days 1 second", "overdue")):
        interval, _, more = age.partition(" - ")
        moment = f"now() - interval '{interval}'" + (f" + interval '{more}'" if more else "")
        with psycopg.connect(gateway_database, autocommit=True) as connection:
            connection.execute(
                f"UPDATE gateway.job SET ended_at = {moment} WHERE job_id = %s",
                (job["job_id"],),
            )
        assert (await owed(gateway.operator_key))[job["job_id"]]["state"] == state
    assert job["job_id"] in await owed(gateway.operator_key, "state=overdue")

    assert (await api.post(path, json=statement, headers=bearer(stranger.key))).status_code == 404
    attested = await api.post(path, json=statement, headers=bearer(owner.key))
    again = await api.post(path, json=statement, headers=bearer(owner.key))
    fact = await event_on(bus, job_subject(job["job_id"], DeletionAttested))

    assert attested.status_code == 201, attested.text
    assert (attested.json()["state"], attested.json()["late"]) == ("attested", True)
    assert again.json()["detail"]["reason"] == "already_attested"
    assert fact.statement == hashlib.sha256(statement["statement"].encode()).hexdigest()
    assert job["job_id"] not in await owed(gateway.operator_key, "state=overdue")
    assert job["job_id"] in await owed(owner.key, "state=attested")


async def test_a_job_without_data_owes_no_attestation(api: httpx.AsyncClient, gateway: Running) -> None:
    owner = await admitted(api, gateway)
    job = (await start_job(api, owner)).json()
    await api.post(f"/jobs/{job['job_id']}/cancel", headers=bearer(owner.key))

    answer = await api.post(
        f"/jobs/{job['job_id']}/deletion-attestation", json={"statement": "none"}, headers=bearer(owner.key)
    )

    assert (answer.status_code, answer.json()["detail"]["reason"]) == (409, "nothing_to_attest")
