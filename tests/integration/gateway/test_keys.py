"""Leaderboard keys over HTTP: shown once, rotated, revoked, expired."""

import asyncio
import uuid
from datetime import UTC, datetime, timedelta

import httpx
import psycopg
from tests.integration.gateway.callers import (
    admitted,
    an_application,
    bearer,
    event_on,
    job_where,
    reviewer_key,
    start_job,
)
from tests.integration.gateway.gateway_process import Running

from aml.contracts.access import KeyIssued, KeyRevoked, KeyRotated
from aml.contracts.jobs import JobCancelled
from aml.rules.identity import job_subject
from aml.runtime.bus import Bus


async def reason_of(api: httpx.AsyncClient, key: str) -> tuple[int, str | None]:
    answer = await api.get("/me", headers=bearer(key))
    return answer.status_code, None if answer.status_code == 200 else answer.json()["detail"]["reason"]


async def test_a_rotated_key_keeps_its_id_and_the_former_text_dies_at_once(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    participant = await admitted(api, gateway)

    rotated = await api.post("/me/key/rotate", headers=bearer(participant.key))

    assert rotated.status_code == 200, rotated.text
    shown = rotated.json()
    assert (shown["key_id"], shown["role"]) == (participant.key_id, "participant")
    assert await reason_of(api, participant.key) == (401, "key_replaced")
    assert await reason_of(api, shown["key"]) == (200, None)
    me = (await api.get("/me", headers=bearer(shown["key"]))).json()
    assert (me["key_id"], me["rotations"], me["prefix"]) == (participant.key_id, 1, shown["key"][:12])
    assert len((await api.get("/versions", headers=bearer(shown["key"]))).json()["versions"]) == 1
    fact = await event_on(bus, f"aml.v1.key.{participant.key_id}.key_rotated.1")
    assert isinstance(fact, KeyRotated)
    assert fact.prefix == shown["key"][:12]


async def test_of_two_rotations_at_once_one_wins(api: httpx.AsyncClient, gateway: Running) -> None:
    participant = await admitted(api, gateway)

    answers = await asyncio.gather(*(api.post("/me/key/rotate", headers=bearer(participant.key)) for _ in range(4)))

    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401]
    assert {answer.json()["detail"]["reason"] for answer in answers if answer.status_code == 401} == {"key_replaced"}
    winner = next(answer.json()["key"] for answer in answers if answer.status_code == 200)
    assert await reason_of(api, winner) == (200, None)


async def test_an_operator_revokes_a_key_and_its_jobs_end(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    participant, operator = await admitted(api, gateway), bearer(gateway.operator_key)
    job_id = (await start_job(api, participant)).json()["job_id"]
    path = f"/operator/keys/{participant.key_id}/revoke"

    no_reason = await api.post(path, json={"reason": " "}, headers=operator)
    revoked = await api.post(path, json={"reason": "found in a public repository"}, headers=operator)
    twice = await api.post(path, json={"reason": "again"}, headers=operator)
    unknown = await api.post("/operator/keys/key-0/revoke", json={"reason": "r"}, headers=operator)

    assert no_reason.status_code == 422
    assert revoked.json() == {"key_id": participant.key_id, "cancelled_jobs": [job_id]}
    assert (twice.status_code, twice.json()["detail"]["reason"]) == (409, "already_revoked")
    assert (unknown.status_code, unknown.json()["detail"]["reason"]) == (404, "key_unknown")
    assert await reason_of(api, participant.key) == (401, "key_revoked")
    assert (await job_where(api, gateway.operator_key, job_id, state="cancelled"))["state"] == "cancelled"
    fact = await event_on(bus, f"aml.v1.key.{participant.key_id}.key_revoked")
    assert isinstance(fact, KeyRevoked)
    assert fact.reason == "found in a public repository"
    why = await event_on(bus, f"aml.v1.decision.{participant.key_id}.decision_explained.key_revoked-1")
    me = (await api.get("/me", headers=operator)).json()
    assert (why.by, why.reason) == (me["key_id"], "found in a public repository")
    assert isinstance(await event_on(bus, job_subject(job_id, JobCancelled)), JobCancelled)


async def test_an_owner_revokes_their_own_key(api: httpx.AsyncClient, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    further = (await api.post("/access-requests", json=an_application(), headers=bearer(participant.key))).json()

    done = await api.post("/me/key/revoke", json={"reason": "leaving"}, headers=bearer(participant.key))

    assert done.status_code == 200
    assert await reason_of(api, participant.key) == (401, "key_revoked")
    # and no version is bound to it any more
    late = await api.post(
        f"/access-requests/{further['access_id']}/approve",
        json={"override_reason": "r"},
        headers=bearer(gateway.operator_key),
    )
    assert (late.status_code, late.json()["detail"]["reason"]) == (409, "key_revoked")


async def test_no_job_slips_past_a_revocation(api: httpx.AsyncClient, gateway: Running) -> None:
    participant, operator = await admitted(api, gateway), bearer(gateway.operator_key)

    await asyncio.gather(
        start_job(api, participant),
        api.post(f"/operator/keys/{participant.key_id}/revoke", json={"reason": "r"}, headers=operator),
        start_job(api, participant),
    )

    jobs = (await api.get("/jobs?limit=500", headers=operator)).json()["jobs"]
    own = [job["state"] for job in jobs if job["version_id"] == participant.version_id]
    assert set(own) <= {"cancelled"}


async def test_a_key_ends_when_its_time_is_over(
    api: httpx.AsyncClient, gateway: Running, gateway_database: str
) -> None:
    operator = bearer(gateway.operator_key)
    later = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    past = (datetime.now(UTC) - timedelta(hours=1)).isoformat()

    made = await api.post("/operator/keys", json={"role": "reviewer", "expires_at": later}, headers=operator)
    refused = await api.post("/operator/keys", json={"role": "reviewer", "expires_at": past}, headers=operator)
    no_zone = await api.post(
        "/operator/keys", json={"role": "reviewer", "expires_at": "2031-01-01T00:00:00"}, headers=operator
    )

    key, key_id = made.json()["key"], made.json()["key_id"]
    assert await reason_of(api, key) == (200, None)
    with psycopg.connect(gateway_database) as connection:
        connection.execute("UPDATE gateway.api_key SET expires_at = now() WHERE key_id = %s", (key_id,))
    assert await reason_of(api, key) == (401, "key_expired")
    assert [refused.status_code, no_zone.status_code] == [422, 422]
    # only its holder is told: a text that shares no more than the visible beginning is unknown
    assert await reason_of(api, key[:12] + "x" * 40) == (401, "key_unknown")


async def test_a_key_is_shown_once_also_to_who_asks_again(api: httpx.AsyncClient, gateway: Running) -> None:
    operator = bearer(gateway.operator_key)
    header = operator | {"Idempotency-Key": uuid.uuid4().hex}

    answers = await asyncio.gather(
        *(api.post("/operator/keys", json={"role": "reviewer", "label": "r"}, headers=header) for _ in range(3))
    )
    later = await api.post("/operator/keys", json={"role": "reviewer", "label": "r"}, headers=header)

    assert sorted(answer.status_code for answer in answers) == [201, 409, 409]
    assert (later.status_code, later.json()["detail"]["reason"]) == (409, "shown_already")


async def test_a_claim_that_was_lost_is_repeated_until_the_key_is_used(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    created = (await api.post("/access-requests", json=an_application())).json()
    path, claim = f"/access-requests/{created['access_id']}", bearer(created["claim_token"])
    approval = {"override_reason": "r"}
    await api.post(f"{path}/approve", json=approval, headers=bearer(gateway.operator_key))

    lost, kept = await api.post(f"{path}/claim", headers=claim), await api.post(f"{path}/claim", headers=claim)
    dead, alive = await reason_of(api, lost.json()["key"]), await reason_of(api, kept.json()["key"])
    late = await api.post(f"{path}/claim", headers=claim)

    assert (lost.status_code, kept.status_code) == (201, 201)
    assert lost.json()["key_id"] == kept.json()["key_id"]
    assert (dead, alive) == ((401, "key_replaced"), (200, None))
    assert (late.status_code, late.json()["detail"]["reason"]) == (409, "already_claimed")
    root = f"aml.v1.key.{kept.json()['key_id']}"
    assert isinstance(await event_on(bus, f"{root}.key_issued"), KeyIssued)
    assert isinstance(await event_on(bus, f"{root}.key_rotated.1"), KeyRotated)


async def test_a_key_that_was_revoked_before_its_claim_is_never_shown(api: httpx.AsyncClient, gateway: Running) -> None:
    created = (await api.post("/access-requests", json=an_application())).json()
    path, operator = f"/access-requests/{created['access_id']}", bearer(gateway.operator_key)
    approved = (await api.post(f"{path}/approve", json={"override_reason": "r"}, headers=operator)).json()
    await api.post(f"/operator/keys/{approved['key_id']}/revoke", json={"reason": "a mistake"}, headers=operator)

    claim = await api.post(f"{path}/claim", headers=bearer(created["claim_token"]))

    assert (claim.status_code, claim.json()["detail"]["reason"]) == (409, "key_revoked")


async def test_operators_list_keys_and_no_key_is_in_the_list(api: httpx.AsyncClient, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    await api.get("/me", headers=bearer(participant.key))

    listed = await api.get("/operator/keys?role=participant&limit=500", headers=bearer(gateway.operator_key))

    file = next(each for each in listed.json()["keys"] if each["key_id"] == participant.key_id)
    assert (file["prefix"], file["revoked_at"], file["rotations"]) == (participant.key[:12], None, 0)
    assert file["first_used_at"] is not None
    assert participant.key not in listed.text
    assert {each["role"] for each in listed.json()["keys"]} == {"participant"}


async def test_the_last_operator_stays(api: httpx.AsyncClient, gateway: Running) -> None:
    reviewer = await reviewer_key(api, gateway)
    me = (await api.get("/me", headers=bearer(gateway.operator_key))).json()
    others = (await api.get("/operator/keys?role=operator&limit=500", headers=bearer(gateway.operator_key))).json()
    for key in others["keys"]:
        if key["key_id"] != me["key_id"] and key["revoked_at"] is None:
            await api.post(
                f"/operator/keys/{key['key_id']}/revoke", json={"reason": "r"}, headers=bearer(gateway.operator_key)
            )

    own = await api.post("/me/key/revoke", json={"reason": "r"}, headers=bearer(gateway.operator_key))
    by_reviewer = await api.post(
        f"/operator/keys/{me['key_id']}/revoke", json={"reason": "r"}, headers=bearer(reviewer)
    )

    assert (own.status_code, own.json()["detail"]["reason"]) == (409, "last_operator")
    assert by_reviewer.status_code == 403
    assert await reason_of(api, gateway.operator_key) == (200, None)
