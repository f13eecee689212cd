"""From application to review, over HTTP."""

import uuid
from pathlib import Path

import httpx
import psycopg
from psycopg import sql
from tests.integration.gateway.callers import (
    CHECKLIST,
    SECRET,
    admitted,
    an_application,
    bearer,
    event_on,
    job_where,
    reviewer_key,
    start_job,
)
from tests.integration.gateway.gateway_process import Running
from tests.integration.gateway.played_services import finish

from aml.contracts.access import AccessApproved, AccessRequested, KeyIssued, VersionBound
from aml.contracts.boards import ReviewDecided
from aml.contracts.jobs import JobRequested
from aml.contracts.participant import ParticipantTarget
from aml.rules.identity import event_id, job_subject
from aml.runtime.bus import Bus
from aml.runtime.evidence import EvidenceStore, object_store
from aml.runtime.key_encryption import KeyEncryptionKey


async def test_from_application_to_review_decision(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    # given an approved participant
    participant = await admitted(api, gateway)
    reviewer = await reviewer_key(api, gateway)
    root = "aml.v1"
    requested = await event_on(bus, f"{root}.access.{participant.access_id}.access_requested")
    assert isinstance(requested, AccessRequested)
    assert isinstance(await event_on(bus, f"{root}.access.{participant.access_id}.access_approved"), AccessApproved)
    assert isinstance(await event_on(bus, f"{root}.version.{participant.version_id}.version_bound"), VersionBound)
    issued = await event_on(bus, f"{root}.key.{participant.key_id}.key_issued")
    assert isinstance(issued, KeyIssued)
    assert participant.key.startswith(issued.prefix)
    assert len(issued.prefix) == 12

    # when a full run is asked for before a smoke passed
    early = await start_job(api, participant, mode="full", checklist=CHECKLIST)
    assert (early.status_code, early.json()["detail"]["reason"]) == (409, "smoke_missing")

    # then the smoke comes first
    smoke = (await start_job(api, participant)).json()
    await finish(bus, participant, smoke, ["correct"])
    await job_where(api, participant.key, smoke["job_id"], stage="ended", state="completed")
    versions = (await api.get("/versions", headers=bearer(participant.key))).json()["versions"]
    assert [(v["version_id"], v["smoke_passed"]) for v in versions] == [(participant.version_id, True)]

    # and the full run's results are private, counted, failures first
    full = (await start_job(api, participant, mode="full", checklist=CHECKLIST)).json()
    await finish(bus, participant, full, ["correct", "incorrect", "unscored", "correct"])
    job = await job_where(api, participant.key, full["job_id"], stage="ended")
    assert job["counts"] == {
        "planned": 4, "scored": 3, "correct": 2, "incorrect": 1, "graded": 0, "unscored": 1,
    }  # fmt: skip
    assert [(s["stage"], s["done"], s["total"]) for s in job["stages"]] == [
        ("ingest", 1, 1), ("retrieval", 4, 4), ("answer", 3, 4), ("scoring", 4, 4),
    ]  # fmt: skip
    path = f"/jobs/{full['job_id']}"
    questions = (await api.get(f"{path}/questions", headers=bearer(participant.key))).json()
    assert [row["outcome"] for row in questions["questions"]] == ["unscored", "incorrect", "correct", "correct"]
    assert (questions["questions"][0]["reason"], questions["questions"][0]["search_attempts"]) == ("transport", 2)
    only = (await api.get(f"{path}/questions?outcome=correct&limit=1", headers=bearer(participant.key))).json()
    assert (only["total"], len(only["questions"])) == (2, 1)
    results = (await api.get(f"{path}/results", headers=bearer(participant.key))).json()
    assert (results["gate"], results["seal"]) == ("passed", "d" * 64)

    # and a reviewer decides, once
    queue = (await api.get("/reviews?limit=500", headers=bearer(reviewer))).json()["reviews"]
    assert full["job_id"] in [item["job_id"] for item in queue]
    decision = {"decision": "approve", "reason": "all checks passed"}
    decided = await api.post(f"{path}/review", json=decision, headers=bearer(reviewer))
    assert decided.status_code == 200, decided.text
    fact = await event_on(bus, f"{root}.job.{full['job_id']}.review_decided.1")
    assert isinstance(fact, ReviewDecided)
    assert (fact.seal, fact.decision) == ("d" * 64, "approve")
    again = await api.post(f"{path}/review", json=decision, headers=bearer(reviewer))
    assert again.json()["detail"]["reason"] == "decision_not_possible"
    own = await api.post(f"{path}/review", json=decision, headers=bearer(participant.key))
    assert own.status_code == 403

    # and takes it back by further facts, of which the last one ends it
    for number, word in ((2, "withdraw"), (3, "approve"), (4, "disqualify")):
        order = {"decision": word, "reason": f"decision {number}"}
        said = await api.post(f"{path}/review", json=order, headers=bearer(reviewer))
        assert said.json() == {"job_id": full["job_id"], "number": number, "decision": word}
        fact = await event_on(bus, f"{root}.job.{full['job_id']}.review_decided.{number}")
        assert isinstance(fact, ReviewDecided)
        assert (fact.seal, fact.decision, fact.reason) == ("d" * 64, word, f"decision {number}")
        assert (await job_where(api, participant.key, full["job_id"], stage="ended"))["decision"] == word
    last = await api.post(f"{path}/review", json=decision, headers=bearer(reviewer))
    assert last.json()["detail"]["reason"] == "decision_not_possible"


async def test_job_event_cites_the_sealed_target(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()

    event = await event_on(bus, job_subject(job["job_id"], JobRequested))

    assert isinstance(event, JobRequested)
    assert event.target is not None
    store = object_store(gateway.environment["AML_EVIDENCE_URL"])
    evidence = EvidenceStore(store, KeyEncryptionKey.from_file(Path(gateway.environment["AML_EVIDENCE_KEK_FILE"])))
    target = await evidence.open_json(event.job_id, event_id(event), event.target, ParticipantTarget)
    assert target.add_url == "http://127.0.0.1:9/add"
    assert target.auth == "bearer"
    assert target.secret_id is not None


async def test_the_memory_system_key_shows_nowhere(
    api: httpx.AsyncClient, gateway: Running, gateway_database: str
) -> None:
    participant = await admitted(api, gateway)

    answers = [
        await api.get("/access-requests?limit=500", headers=bearer(gateway.operator_key)),
        await api.get("/versions", headers=bearer(participant.key)),
        await start_job(api, participant),
    ]

    assert all(SECRET not in answer.text for answer in answers)
    assert SECRET not in gateway.log.read_text()
    with psycopg.connect(gateway_database) as connection:
        for table in ("access_request", "system_version", "job", "outbox", "idempotency"):
            found = connection.execute(
                sql.SQL("SELECT count(*) FROM gateway.{} t WHERE t::text LIKE %s").format(sql.Identifier(table)),
                (f"%{SECRET.encode().hex()}%",),
            ).fetchone()
            assert found == (0,), table


async def test_operator_runs(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    operator = bearer(gateway.operator_key)
    dataset = {"name": "mine", "adapter": "locomo", "version": "1", "sha256": "a" * 64, "limit": 5, "sample_seed": 7}
    order = {
        "system": "under development",
        "endpoints": {"add_url": "http://127.0.0.1:9/add", "search_url": "http://127.0.0.1:9/search"},
        "datasets": [dataset],
        "run_label": uuid.uuid4().hex,
        "allow_private": True,
    }

    run = await api.post("/operator/runs", json=order, headers=operator)
    same_label = await api.post("/operator/runs", json=order, headers=operator)
    baseline = await api.post(
        "/operator/runs",
        json={"system": "No memory", "arm": "no_memory", "mode": "full", "run_label": uuid.uuid4().hex},
        headers=operator,
    )
    not_private = await api.post("/operator/runs", json=order | {"allow_private": False}, headers=operator)

    assert run.status_code == 201, run.text
    event = await event_on(bus, job_subject(run.json()["job_id"], JobRequested))
    assert (event.mode, event.allow_private, event.datasets[0].limit) == ("run", True, 5)
    assert same_label.json()["detail"]["reason"] == "run_label_taken"
    assert baseline.status_code == 201, baseline.text
    event = await event_on(bus, job_subject(baseline.json()["job_id"], JobRequested))
    assert (event.arm, event.division, event.mode, event.target) == ("no_memory", "baseline", "full", None)
    assert [pin.name for pin in event.datasets] == ["practice"]
    assert not_private.status_code == 422
    assert "endpoints.add_url" in [field["field"] for field in not_private.json()["detail"]["fields"]]


async def test_further_version_of_an_existing_key(api: httpx.AsyncClient, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    created = (await api.post("/access-requests", json=an_application(), headers=bearer(participant.key))).json()

    approved = await api.post(
        f"/access-requests/{created['access_id']}/approve",
        json={"override_reason": "nobody listens there"},
        headers=bearer(gateway.operator_key),
    )

    assert approved.json()["key_id"] == participant.key_id
    versions = (await api.get("/versions", headers=bearer(participant.key))).json()["versions"]
    assert len(versions) == 2
    claim = await api.post(f"/access-requests/{created['access_id']}/claim", headers=bearer(created["claim_token"]))
    assert claim.json()["detail"]["reason"] == "bound_to_existing_key"


async def test_claims_and_declines(api: httpx.AsyncClient, gateway: Running) -> None:
    operator = bearer(gateway.operator_key)
    created = (await api.post("/access-requests", json=an_application())).json()
    path, claim = f"/access-requests/{created['access_id']}", bearer(created["claim_token"])

    early = await api.post(f"{path}/claim", headers=claim)
    stranger = await api.get(path, headers=bearer("claim_somebody_else_entirely"))
    no_reason = await api.post(f"{path}/decline", json={"reason": " "}, headers=operator)
    declined = await api.post(f"{path}/decline", json={"reason": "no code at this commit"}, headers=operator)
    late = await api.post(f"{path}/approve", headers=operator)
    state = await api.get(path, headers=claim)

    assert early.json()["detail"]["reason"] == "not_approved"
    assert stranger.status_code == 401
    assert no_reason.status_code == 422
    assert declined.json()["state"] == "declined"
    assert late.json()["detail"]["reason"] == "already_decided"
    assert (state.json()["state"], state.json()["reason"]) == ("declined", "no code at this commit")

    # and a key is shown once
    participant = await admitted(api, gateway)
    assert (await api.get("/me", headers=bearer(participant.key))).json()["role"] == "participant"
