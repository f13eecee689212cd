"""Applications and the check of their endpoints, over HTTP, against participants that really listen."""

import asyncio
import time
import uuid
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from tests.factories.keyed_memory import keyed_memory
from tests.integration.gateway.callers import SECRET, admitted, an_application, bearer, event_on, reviewer_key
from tests.integration.gateway.gateway_process import Running

from aml.contracts.access import AccessApproved, AccessDeclined, VersionDisclosed
from aml.gateway.access.bodies import Endpoints
from aml.gateway.access.endpoint_visit import visit_endpoints
from aml.gateway.access.retired_secrets import RetiredSecrets
from aml.gateway.storage.database import Database
from aml.runtime.bus import Bus
from aml.runtime.clock import SystemClock
from aml.runtime.doctor.naughty import NAUGHTY
from aml.runtime.evidence import object_store
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.settings import DatabaseSettings
from aml.runtime.vault import KeyDeposit, SecretUnavailable, Vault


def outcomes(check: dict[str, Any]) -> dict[str, bool | None]:
    return {finding["name"]: finding["passed"] for finding in check["findings"]}


GOOD = {"reach": True, "health": True, "right_key": True, "add": True, "search": True}


async def test_endpoints_are_checked_with_the_key_and_approved_without_a_word(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    operator = bearer(gateway.operator_key)
    async with keyed_memory(SECRET) as memory:
        created = await api.post("/access-requests", json=an_application(endpoints=memory.endpoints))

    assert created.status_code == 201, created.text
    check = created.json()["endpoint_check"]
    assert (check["passed"], outcomes(check)) == (True, GOOD)
    # few and harmless requests under a user that nobody else has
    assert len(memory.calls) <= 5
    assert len(memory.users) <= 3
    assert all(user.startswith("eval:doctor-") for user in memory.users)
    assert ("/health", None) in memory.calls
    # the applicant and the reviewer see what was found, and nobody the key
    access_id, claim = created.json()["access_id"], bearer(created.json()["claim_token"])
    state = await api.get(f"/access-requests/{access_id}", headers=claim)
    listed = await api.get("/access-requests?state=submitted&limit=500", headers=operator)
    file = next(each for each in listed.json()["requests"] if each["access_id"] == access_id)
    assert state.json()["endpoint_check"] == file["endpoint_check"] == check
    assert all(SECRET not in answer.text for answer in (created, state, listed))
    approved = await api.post(f"/access-requests/{access_id}/approve", json={"reason": "complete"}, headers=operator)
    assert approved.status_code == 200, approved.text
    assert isinstance(await event_on(bus, f"aml.v1.access.{access_id}.access_approved"), AccessApproved)
    disclosed = await event_on(bus, f"aml.v1.version.{approved.json()['version_id']}.version_disclosed")
    assert isinstance(disclosed, VersionDisclosed)
    assert (disclosed.organisation, disclosed.repository) == ("Ada's lab", "https://example.org/repo")


async def test_a_failed_check_loses_nothing_and_wants_a_reason(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    operator = bearer(gateway.operator_key)
    created = (await api.post("/access-requests", json=an_application())).json()
    path = f"/access-requests/{created['access_id']}"

    silent = await api.post(f"{path}/approve", json={}, headers=operator)
    blank = await api.post(f"{path}/approve", json={"override_reason": "  "}, headers=operator)
    said = await api.post(f"{path}/approve", json={"override_reason": "maintenance, called them"}, headers=operator)

    check = created["endpoint_check"]
    assert (created["state"], check["passed"], outcomes(check)["reach"]) == ("submitted", False, False)
    assert "refused" in check["findings"][0]["detail"]
    assert [answer.status_code for answer in (silent, blank, said)] == [409, 409, 200]
    assert silent.json()["detail"]["reason"] == "endpoint_check_failed"
    listed = (await api.get("/access-requests?state=approved&limit=500", headers=operator)).json()["requests"]
    file = next(each for each in listed if each["access_id"] == created["access_id"])
    assert file["override_reason"] == "maintenance, called them"
    root = f"aml.v1.decision.{created['access_id']}.decision_explained"
    assert (await event_on(bus, f"{root}.endpoint_check_overridden-1")).reason == "maintenance, called them"
    assert (await event_on(bus, f"{root}.access_approved-1")).by == file["decided_by"]


async def test_an_applicant_mends_a_wrong_key(api: httpx.AsyncClient, gateway: Running, gateway_database: str) -> None:
    kek = KeyEncryptionKey.from_file(Path(gateway.environment["AML_EVIDENCE_KEK_FILE"]))
    store = object_store(gateway.environment["AML_EVIDENCE_URL"])
    right = f"right-{uuid.uuid4().hex}"
    async with keyed_memory(right) as memory:
        created = (await api.post("/access-requests", json=an_application(endpoints=memory.endpoints))).json()
        path, claim = f"/access-requests/{created['access_id']}", bearer(created["claim_token"])
        first = await secret_of(gateway_database, created["access_id"])
        reviewer = await api.post(f"{path}/check", headers=bearer(gateway.operator_key))
        unusable = await api.post(f"{path}/check", json={"memory_system_key": "two\nlines"}, headers=claim)
        mended = await api.post(f"{path}/check", json={"memory_system_key": right}, headers=claim)
        again = await api.post(f"{path}/check", headers=bearer(gateway.operator_key))

    assert outcomes(created["endpoint_check"]) | {"add": None, "search": None} == {
        "reach": True, "health": True, "right_key": False, "add": None, "search": None,
    }  # fmt: skip
    # a reviewer has no key: their check neither passes nor forgets
    assert (reviewer.status_code, reviewer.json()["passed"]) == (200, False)
    assert outcomes(reviewer.json())["right_key"] is False
    assert unusable.status_code == 422
    assert (mended.json()["passed"], outcomes(mended.json())) == (True, GOOD)
    assert (again.json()["passed"], outcomes(again.json())) == (True, GOOD)
    # the sealed key is the new one, and the former one is destroyed
    second = await secret_of(gateway_database, created["access_id"])
    assert second != first
    database = Database(DatabaseSettings(url=gateway_database))
    await database.open()
    await RetiredSecrets(database, KeyDeposit(store, kek)).destroy_unused()
    await database.close()
    vault = Vault(store, kek)
    assert (await vault.open(second)).reveal() == right
    with pytest.raises(SecretUnavailable):
        await vault.open(first)


async def secret_of(database_url: str, access_id: str) -> str:
    database = Database(DatabaseSettings(url=database_url))
    async with await database.dedicated() as connection:
        found = await connection.execute(
            "SELECT secret_id FROM gateway.access_request WHERE access_id = %s", (access_id,)
        )
        row = await found.fetchone()
    assert row is not None
    return str(row["secret_id"])


async def test_who_may_have_a_request_checked(api: httpx.AsyncClient, gateway: Running) -> None:
    participant, reviewer = await admitted(api, gateway), await reviewer_key(api, gateway)
    created = (await api.post("/access-requests", json=an_application())).json()
    path = f"/access-requests/{created['access_id']}/check"

    nobody = await api.post(path)
    other_claim = await api.post(path, headers=bearer("claim_of_another_request_altogether"))
    wrong_key = await api.post(path, headers=bearer("aml_p_" + "x" * 40))
    participants = await api.post(path, headers=bearer(participant.key))
    with_key = await api.post(path, json={"memory_system_key": "k" * 20}, headers=bearer(reviewer))
    missing = await api.post("/access-requests/acc-0/check", headers=bearer(reviewer))
    decided = await api.post(f"/access-requests/{participant.access_id}/check", headers=bearer(reviewer))

    answers = (nobody, other_claim, wrong_key, participants, with_key, missing, decided)
    assert [(answer.status_code, answer.json()["detail"]["reason"]) for answer in answers] == [
        (401, "key_missing"),
        (401, "claim_token_unknown"),
        (401, "key_unknown"),
        (403, "role_missing"),
        (422, "fields_invalid"),
        (404, "access_request_unknown"),
        (409, "already_decided"),
    ]


async def test_a_second_check_at_the_same_time_is_told_to_wait(api: httpx.AsyncClient) -> None:
    async with keyed_memory(SECRET) as memory:
        created = (await api.post("/access-requests", json=an_application(endpoints=memory.endpoints))).json()
        memory.delay_seconds = 0.3
        path, claim = f"/access-requests/{created['access_id']}/check", bearer(created["claim_token"])
        body = {"memory_system_key": SECRET}

        answers = await asyncio.gather(*(api.post(path, json=body, headers=claim) for _ in range(3)))

    assert sorted(answer.status_code for answer in answers) == [200, 429, 429]
    waiting = next(answer for answer in answers if answer.status_code == 429)
    assert waiting.json()["detail"]["reason"] == "check_running"
    assert int(waiting.headers["Retry-After"]) >= 1


async def test_a_replayed_application_is_checked_once(api: httpx.AsyncClient) -> None:
    async with keyed_memory(SECRET) as memory:
        application, header = an_application(endpoints=memory.endpoints), {"Idempotency-Key": uuid.uuid4().hex}

        answers = await asyncio.gather(
            *(api.post("/access-requests", json=application, headers=header) for _ in range(4))
        )
        calls = len(memory.calls)
        later = await api.post("/access-requests", json=application, headers=header)

    assert [answer.json() for answer in answers] == [answers[0].json()] * 4
    assert later.json() == answers[0].json()
    assert calls <= 5
    assert len(memory.calls) == calls


async def test_a_check_ends_within_its_budget() -> None:
    async with keyed_memory(SECRET, delay_seconds=30) as memory:
        started = time.monotonic()
        check = await visit_endpoints(
            Endpoints(**memory.endpoints), "none", None, track="textual", allow_private=True, ports=(),
            clock=SystemClock(), budget_seconds=0.3,
        )  # fmt: skip

    assert time.monotonic() - started < 3
    assert not check.passed
    assert {finding.passed for finding in check.findings} == {None}


async def test_a_private_address_is_not_called_and_not_told() -> None:
    async with keyed_memory(SECRET) as memory:
        check = await visit_endpoints(
            Endpoints(**memory.endpoints), "none", None, track="textual", allow_private=False, ports=(),
            clock=SystemClock(),
        )  # fmt: skip

    assert memory.calls == []
    assert not check.passed
    assert all("127.0.0.1" not in finding.detail for finding in check.findings)


@pytest.mark.parametrize("name", NAUGHTY)
async def test_naughty_texts_are_kept_as_they_are_or_refused(
    api: httpx.AsyncClient, gateway: Running, name: str
) -> None:
    text = NAUGHTY[name]
    described = await api.post("/access-requests", json=an_application(description=text))
    labelled = await api.post("/access-requests", json=an_application(system=text))

    assert described.status_code in (201, 422), described.text
    assert labelled.status_code in (201, 422), labelled.text
    if described.status_code == 201:
        listed = await api.get("/access-requests?state=submitted&limit=500", headers=bearer(gateway.operator_key))
        kept = {each["access_id"]: each["application"]["description"] for each in listed.json()["requests"]}
        assert kept[described.json()["access_id"]] == text
    for answer in (described, labelled):
        assert "Traceback" not in answer.text


async def test_a_declined_application_gives_no_key_and_its_secret_goes(
    api: httpx.AsyncClient, bus: Bus, gateway: Running, gateway_database: str
) -> None:
    created = (await api.post("/access-requests", json=an_application())).json()
    path, operator = f"/access-requests/{created['access_id']}", bearer(gateway.operator_key)
    secret_id = await secret_of(gateway_database, created["access_id"])

    declined = await api.post(f"{path}/decline", json={"reason": "no code at this commit"}, headers=operator)

    assert declined.status_code == 200
    fact = await event_on(bus, f"aml.v1.access.{created['access_id']}.access_declined")
    assert isinstance(fact, AccessDeclined)
    database = Database(DatabaseSettings(url=gateway_database))
    await database.open()
    kek = KeyEncryptionKey.from_file(Path(gateway.environment["AML_EVIDENCE_KEK_FILE"]))
    store = object_store(gateway.environment["AML_EVIDENCE_URL"])
    await RetiredSecrets(database, KeyDeposit(store, kek)).destroy_unused()
    await database.close()
    with pytest.raises(SecretUnavailable):
        await Vault(store, kek).open(secret_id)


async def test_a_reviewer_decides_on_no_application_of_their_own_organisation(
    api: httpx.AsyncClient, gateway: Running, gateway_database: str
) -> None:
    key = await reviewer_key(api, gateway)
    me = (await api.get("/me", headers=bearer(key))).json()
    with psycopg.connect(gateway_database) as connection:
        connection.execute(
            "INSERT INTO gateway.reviewer_link (key_id, organisation, linked_by) VALUES (%s, 'Babbage & Co', 'test')",
            (me["key_id"],),
        )
    own = (await api.post("/access-requests", json=an_application(organisation="BABBAGE & co."))).json()
    other = (await api.post("/access-requests", json=an_application(organisation="Another lab"))).json()

    approval, refusal = {"override_reason": "r"}, {"reason": "r"}
    answers = [
        await api.post(f"/access-requests/{own['access_id']}/approve", json=approval, headers=bearer(key)),
        await api.post(f"/access-requests/{own['access_id']}/decline", json=refusal, headers=bearer(key)),
    ]
    fine = await api.post(f"/access-requests/{other['access_id']}/approve", json=approval, headers=bearer(key))

    assert [(answer.status_code, answer.json()["detail"]["reason"]) for answer in answers] == [(403, "own_system")] * 2
    assert fine.status_code == 200, fine.text
