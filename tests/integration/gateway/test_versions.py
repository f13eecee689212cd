"""A participant's versions over HTTP: edited until their full run, withdrawn, given another memory system key."""

import asyncio
import uuid
from pathlib import Path
from typing import Any

import httpx
from tests.integration.gateway.callers import (
    CHECKLIST,
    SECRET,
    Participant,
    admitted,
    an_application,
    bearer,
    event_on,
    job_where,
    start_job,
)
from tests.integration.gateway.gateway_process import Running
from tests.integration.gateway.played_services import finish

from aml.contracts.access import MemoryKeyReplaced, VersionChanged, VersionWithdrawn
from aml.contracts.jobs import JobRequested
from aml.contracts.participant import ParticipantTarget
from aml.gateway.access.retired_secrets import RetiredSecrets
from aml.gateway.storage.database import Database
from aml.rules.identity import event_id, job_subject
from aml.runtime.bus import Bus
from aml.runtime.evidence import EvidenceStore, object_store
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.settings import DatabaseSettings
from aml.runtime.vault import KeyDeposit, SecretUnavailable, Vault

ELSEWHERE = {
    "add_url": "http://127.0.0.1:9/v2/add",
    "search_url": "http://127.0.0.1:9/v2/search",
    "health_url": "http://127.0.0.1:9/health",
}
OTHER_HOST = {name: url.replace("127.0.0.1", "127.0.0.2") for name, url in ELSEWHERE.items()}


async def version_of(api: httpx.AsyncClient, participant: Participant) -> dict[str, Any]:
    versions = (await api.get("/versions", headers=bearer(participant.key))).json()["versions"]
    return next(each for each in versions if each["version_id"] == participant.version_id)


async def passed_smoke(api: httpx.AsyncClient, bus: Bus, participant: Participant) -> None:
    smoke = (await start_job(api, participant)).json()
    await finish(bus, participant, smoke, ["correct"])
    await job_where(api, participant.key, smoke["job_id"], stage="ended", state="completed")


async def test_a_version_shows_what_was_declared_and_not_its_key(api: httpx.AsyncClient, gateway: Running) -> None:
    participant = await admitted(
        api,
        gateway,
        timeouts={"add_seconds": 60},
        rate_limits={"add_per_minute": 600},
        capacity={"max_add_concurrency": 8},
    )

    version = await version_of(api, participant)

    assert version["endpoints"]["add_url"] == "http://127.0.0.1:9/add"
    assert (version["auth"], version["has_memory_system_key"]) == ("bearer", True)
    assert (version["timeouts"], version["rate_limits"]) == (
        {"add_seconds": 60, "search_seconds": 1800},
        {"add_per_minute": 600, "search_per_minute": None},
    )
    assert (version["max_add_concurrency"], version["description"]) == (8, "A keyword memory.")
    assert (version["frozen"], version["withdrawn_at"], version["active_job_id"]) == (False, None, None)


async def test_other_endpoints_need_another_smoke(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    await passed_smoke(api, bus, participant)
    path, key = f"/versions/{participant.version_id}", bearer(participant.key)

    texts = await api.patch(path, json={"description": "A better keyword memory."}, headers=key)
    moved = await api.patch(path, json={"endpoints": ELSEWHERE}, headers=key)
    same = await api.patch(path, json={"endpoints": ELSEWHERE}, headers=key)
    full = await start_job(api, participant, mode="full", checklist=CHECKLIST)

    assert (texts.status_code, texts.json()["smoke_passed"]) == (200, True)
    assert (moved.json()["smoke_passed"], moved.json()["endpoints"]["add_url"]) == (False, ELSEWHERE["add_url"])
    assert same.json() == moved.json()
    assert (full.status_code, full.json()["detail"]["reason"]) == (409, "smoke_missing")
    first = await event_on(bus, f"aml.v1.version.{participant.version_id}.version_changed.1")
    second = await event_on(bus, f"aml.v1.version.{participant.version_id}.version_changed.2")
    assert isinstance(first, VersionChanged)
    assert isinstance(second, VersionChanged)
    assert (first.changed, first.new_smoke_needed) == (("texts",), False)
    assert (second.changed, second.new_smoke_needed, second.organisation) == (("endpoints",), True, "Ada's lab")
    assert await bus.last_event(f"aml.v1.version.{participant.version_id}.version_changed.3") is None


async def test_a_smoke_that_was_under_way_counts_for_what_it_called(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    participant = await admitted(api, gateway)
    smoke = (await start_job(api, participant)).json()
    await api.patch(
        f"/versions/{participant.version_id}", json={"endpoints": ELSEWHERE}, headers=bearer(participant.key)
    )

    await finish(bus, participant, smoke, ["correct"])
    await job_where(api, participant.key, smoke["job_id"], stage="ended", state="completed")

    assert (await version_of(api, participant))["smoke_passed"] is False


async def test_a_full_run_freezes_its_version(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    await passed_smoke(api, bus, participant)
    full = (await start_job(api, participant, mode="full", checklist=CHECKLIST)).json()
    await api.post(f"/jobs/{full['job_id']}/cancel", headers=bearer(participant.key))
    path, key = f"/versions/{participant.version_id}", bearer(participant.key)

    edited = await api.patch(path, json={"description": "other"}, headers=key)
    withdrawn = await api.post(f"{path}/withdraw", json={"reason": "not so good"}, headers=key)
    opened = await api.put(f"{path}/memory-system-key", json={"auth": "none"}, headers=key)
    renewed = await api.put(
        f"{path}/memory-system-key", json={"auth": "bearer", "memory_system_key": "n" * 20}, headers=key
    )

    for refused in (edited, withdrawn, opened):
        detail = refused.json()["detail"]
        assert (refused.status_code, detail["reason"], detail["job_id"]) == (409, "version_frozen", full["job_id"])
    assert renewed.status_code == 200, renewed.text
    version = await version_of(api, participant)
    assert (version["frozen"], version["frozen_by_job_id"], version["description"]) == (
        True,
        full["job_id"],
        "A keyword memory.",
    )


async def test_an_edit_and_a_full_run_at_once_follow_one_another(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    participant = await admitted(api, gateway)
    await passed_smoke(api, bus, participant)
    path, key = f"/versions/{participant.version_id}", bearer(participant.key)

    full, edit = await asyncio.gather(
        start_job(api, participant, mode="full", checklist=CHECKLIST),
        api.patch(path, json={"endpoints": ELSEWHERE}, headers=key),
    )

    assert sorted((full.status_code, edit.status_code)) in ([200, 409], [201, 409])
    if full.status_code == 201:
        event = await event_on(bus, job_subject(full.json()["job_id"], JobRequested))
        assert (await target_of_job(gateway, event)).add_url == "http://127.0.0.1:9/add"
        assert (await version_of(api, participant))["endpoints"]["add_url"] == "http://127.0.0.1:9/add"


async def test_a_withdrawn_version_runs_no_more_and_its_name_is_free(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    participant, operator = await admitted(api, gateway), bearer(gateway.operator_key)
    path, key = f"/versions/{participant.version_id}", bearer(participant.key)
    job = (await start_job(api, participant)).json()
    busy = await api.post(f"{path}/withdraw", json={"reason": "bound twice"}, headers=key)
    await api.post(f"/jobs/{job['job_id']}/cancel", headers=key)

    withdrawn = await api.post(f"{path}/withdraw", json={"reason": "bound twice"}, headers=key)
    again = await api.post(f"{path}/withdraw", json={"reason": "bound twice"}, headers=key)
    run = await start_job(api, participant)
    edited = await api.patch(path, json={"description": "other"}, headers=key)

    assert (busy.status_code, busy.json()["detail"]["job_id"]) == (409, job["job_id"])
    assert withdrawn.status_code == 200
    assert withdrawn.json()["withdrawn_at"] is not None
    for refused in (again, run, edited):
        assert (refused.status_code, refused.json()["detail"]["reason"]) == (409, "version_withdrawn")
    fact = await event_on(bus, f"aml.v1.version.{participant.version_id}.version_withdrawn")
    assert isinstance(fact, VersionWithdrawn)
    # and the same name can be bound anew
    application = an_application(system=participant.system)
    created = (await api.post("/access-requests", json=application, headers=key)).json()
    bound = await api.post(
        f"/access-requests/{created['access_id']}/approve", json={"override_reason": "r"}, headers=operator
    )
    assert bound.status_code == 200, bound.text


async def test_a_new_key_is_for_jobs_from_then_on_and_the_former_goes_with_its_last_job(
    api: httpx.AsyncClient, bus: Bus, gateway: Running, gateway_database: str
) -> None:
    participant = await admitted(api, gateway)
    path, key = f"/versions/{participant.version_id}/memory-system-key", bearer(participant.key)
    vault = Vault(store_of(gateway), kek_of(gateway))
    first = (await start_job(api, participant)).json()
    old = await target_of_job(gateway, await event_on(bus, job_subject(first["job_id"], JobRequested)))
    assert old.secret_id is not None

    replaced = await api.put(path, json={"auth": "x-api-key", "memory_system_key": "new-" + "k" * 20}, headers=key)
    while_running = await destroy_unused(gateway, gateway_database)
    still_there = (await vault.open(old.secret_id)).reveal()
    await api.post(f"/jobs/{first['job_id']}/cancel", headers=key)
    await destroy_unused(gateway, gateway_database)
    second = (await start_job(api, participant)).json()
    new = await target_of_job(gateway, await event_on(bus, job_subject(second["job_id"], JobRequested)))

    assert replaced.status_code == 200, replaced.text
    assert (replaced.json()["auth"], replaced.json()["has_memory_system_key"]) == ("x-api-key", True)
    assert "new-" not in replaced.text
    assert (while_running, still_there) == (0, SECRET)
    assert new.secret_id is not None
    assert (new.auth, (await vault.open(new.secret_id)).reveal()) == ("x-api-key", "new-" + "k" * 20)
    assert new.secret_id != old.secret_id
    try:
        await vault.open(old.secret_id)
    except SecretUnavailable:
        gone = True
    else:
        gone = False
    assert gone
    fact = await event_on(bus, f"aml.v1.version.{participant.version_id}.memory_key_replaced.1")
    assert isinstance(fact, MemoryKeyReplaced)


async def test_endpoints_on_another_host_do_not_get_the_sealed_key(api: httpx.AsyncClient, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    path, key = f"/versions/{participant.version_id}", bearer(participant.key)

    taken = await api.patch(path, json={"endpoints": OTHER_HOST}, headers=key)
    entered = await api.patch(path, json={"endpoints": OTHER_HOST, "memory_system_key": "m" * 20}, headers=key)

    assert taken.status_code == 422
    assert [field["field"] for field in taken.json()["detail"]["fields"]] == ["memory_system_key"]
    assert (entered.status_code, entered.json()["endpoints"]["add_url"]) == (200, OTHER_HOST["add_url"])


async def test_somebody_elses_version_does_not_exist(api: httpx.AsyncClient, gateway: Running) -> None:
    owner, stranger = await admitted(api, gateway), await admitted(api, gateway)
    path, key = f"/versions/{owner.version_id}", bearer(stranger.key)

    answers = [
        await api.patch(path, json={"description": "mine"}, headers=key),
        await api.post(f"{path}/withdraw", json={"reason": "r"}, headers=key),
        await api.put(f"{path}/memory-system-key", json={"auth": "none"}, headers=key),
        await api.patch("/versions/a%00b", json={"description": "mine"}, headers=key),
    ]
    as_operator = await api.patch(path, json={"description": "mine"}, headers=bearer(gateway.operator_key))

    assert [(answer.status_code, answer.json()["detail"]["reason"]) for answer in answers] == [
        (404, "version_unknown")
    ] * 4
    assert as_operator.status_code == 403


async def test_bad_edits_change_nothing(api: httpx.AsyncClient, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    path, key = f"/versions/{participant.version_id}", bearer(participant.key)
    before = await version_of(api, participant)

    answers = [
        await api.patch(path, json={"endpoints": ELSEWHERE | {"add_url": "https://u:p@example.org/"}}, headers=key),
        await api.patch(path, json={"system": uuid.uuid4().hex}, headers=key),
        await api.patch(path, json={"timeouts": {"add_seconds": 1801}}, headers=key),
        await api.patch(path, json={"disclosure": {}}, headers=key),
        await api.put(f"{path}/memory-system-key", json={"auth": "bearer"}, headers=key),
        await api.put(f"{path}/memory-system-key", json={"auth": "none", "memory_system_key": "k" * 9}, headers=key),
        await api.post(f"{path}/withdraw", json={"reason": ""}, headers=key),
    ]

    assert [answer.status_code for answer in answers] == [422] * 7
    assert await version_of(api, participant) == before


def kek_of(gateway: Running) -> KeyEncryptionKey:
    return KeyEncryptionKey.from_file(Path(gateway.environment["AML_EVIDENCE_KEK_FILE"]))


def store_of(gateway: Running) -> Any:
    return object_store(gateway.environment["AML_EVIDENCE_URL"])


async def target_of_job(gateway: Running, event: JobRequested) -> ParticipantTarget:
    assert event.target is not None
    evidence = EvidenceStore(store_of(gateway), kek_of(gateway))
    return await evidence.open_json(event.job_id, event_id(event), event.target, ParticipantTarget)


async def destroy_unused(gateway: Running, database_url: str) -> int:
    """How many of this version's; other tests may have left some."""
    database = Database(DatabaseSettings(url=database_url))
    await database.open()
    await RetiredSecrets(database, KeyDeposit(store_of(gateway), kek_of(gateway))).destroy_unused()
    found = await RetiredSecrets(database, KeyDeposit(store_of(gateway), kek_of(gateway))).destroy_unused()
    await database.close()
    return found
