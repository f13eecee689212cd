"""The gateway as a process of its own, over HTTP, with a real broker and a real database; the test plays the other services."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import nats.js.errors
import psycopg
import pytest
from psycopg import sql

from aml.contracts.access import AccessApproved, AccessRequested, KeyIssued, VersionBound
from aml.contracts.boards import ReviewDecided
from aml.contracts.envelope import EvidenceRef
from aml.contracts.events import Event
from aml.contracts.jobs import JobCancelled, JobPlanned, JobRequested
from aml.contracts.participant import ParticipantTarget
from aml.contracts.release import ReleaseLocked
from aml.contracts.seals import GatePassed, JobResult, JobSealed, Latencies, RowSubject
from aml.contracts.units import AnswerGenerated, ChunkAdded, QuestionOpened, SearchReturned, UnitParked, UnitRequeued
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.gateway.database import Database
from aml.gateway.projection import ACK_WAIT_SECONDS, Projection
from aml.rules.identity import EVERYTHING, event_id, job_subject
from aml.runtime.bus import Bus
from aml.runtime.evidence import EvidenceStore, object_store
from aml.runtime.follow import follow
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.publish_once import publish_once
from aml.runtime.settings import DatabaseSettings, NatsSettings

REF = EvidenceRef(digest="a" * 64, size=1, media_type="application/json")
SECRET = "memory-system-key-that-nobody-may-see"
CHECKLIST = {
    "smoke_passed": True,
    "contract_followed": True,
    "run_instructions_complete": True,
    "originality_disclosed": True,
    "no_integrity_violations": True,
}


@dataclass
class Running:
    url: str
    operator_key: str
    environment: dict[str, str]
    log: Path
    process: subprocess.Popen[bytes]


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def start_gateway(environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as output:
        return subprocess.Popen([sys.executable, "-m", "aml.gateway"], env=environment, stdout=output, stderr=output)


def wait_ready(url: str, process: subprocess.Popen[bytes], log: Path, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()
        try:
            if httpx.get(f"{url}/health/ready", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    pytest.fail(f"the gateway was not ready in {seconds} s: {log.read_text()[-2000:]}")


@pytest.fixture(scope="module")
def gateway_database(database_url: str) -> Iterator[str]:
    name = f"gateway_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield urlsplit(database_url)._replace(path=f"/{name}").geturl()
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="module")
def gateway(nats_url: str, gateway_database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    home = tmp_path_factory.mktemp("gateway")
    (home / "kek").write_text("11" * 32)
    operator_key = f"aml_o_{uuid.uuid4().hex}{uuid.uuid4().hex}"
    (home / "operator.key").write_text(operator_key + "\n")
    board = home / "board" / "v1"
    board.mkdir(parents=True)
    (board / "index.html").write_text("<h1>board</h1>")
    (board / "board.json").write_text("{}")
    (home / "board" / "current").symlink_to("v1")
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "AML_HTTP_PORT": str(port),
        "AML_NATS_URL": nats_url,
        "AML_DATABASE_URL": gateway_database,
        "AML_EVIDENCE_URL": f"file://{home}/evidence",
        "AML_EVIDENCE_KEK_FILE": str(home / "kek"),
        "AML_FILES_DATASETS": str(home / "datasets"),
        "AML_OPERATOR_KEY_FILE": str(home / "operator.key"),
        "AML_BOARD_FOLDER": str(home / "board"),
        "AML_NETWORK_ALLOW_PRIVATE": "true",
        "AML_LEDGER_URL": f"http://127.0.0.1:{free_port()}",
        "AML_LOG_LEVEL": "debug",
        "LITESTAR_DEBUG": "1",
    }
    log = home / "gateway.log"
    process = start_gateway(environment, log)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_ready(url, process, log)
        yield Running(url, operator_key, environment, log, process)
    finally:
        process.terminate()
        assert process.wait(timeout=15) == 0, log.read_text()
        assert "Traceback" not in log.read_text(), log.read_text()


@pytest.fixture
async def bus(nats_url: str) -> AsyncIterator[Bus]:
    bus = Bus(NatsSettings(url=nats_url), name="test")
    await bus.connect()
    yield bus
    await bus.close()


@pytest.fixture
async def api(gateway: Running) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{gateway.url}/api/v1", timeout=15) as client:
        yield client


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def an_application(**changes: Any) -> dict[str, Any]:
    return {
        "contact": "ada@example.org",
        "organisation": "Ada's lab",
        "system": f"system {uuid.uuid4().hex[:8]}",
        "version": "1.0",
        "track": "textual",
        "division": "open_source",
        "endpoints": {
            "add_url": "http://127.0.0.1:9/add",
            "search_url": "http://127.0.0.1:9/search",
            "health_url": "http://127.0.0.1:9/health",
        },
        "auth": "bearer",
        "memory_system_key": SECRET,
        "public_display_consent": True,
        "disclosure": {"repository": "https://example.org/repo", "commit": "abc123"},
    } | changes


@dataclass
class Participant:
    key: str
    key_id: str
    version_id: str
    access_id: str
    system: str


async def reviewer_key(api: httpx.AsyncClient, gateway: Running) -> str:
    made = await api.post("/operator/keys", json={"role": "reviewer"}, headers=bearer(gateway.operator_key))
    assert made.status_code == 201, made.text
    return str(made.json()["key"])


async def admitted(api: httpx.AsyncClient, gateway: Running) -> Participant:
    application = an_application()
    created = (await api.post("/access-requests", json=application)).json()
    approved = await api.post(
        f"/access-requests/{created['access_id']}/approve", json={}, headers=bearer(gateway.operator_key)
    )
    assert approved.status_code == 200, approved.text
    claimed = await api.post(f"/access-requests/{created['access_id']}/claim", headers=bearer(created["claim_token"]))
    assert claimed.status_code == 201, claimed.text
    shown = claimed.json()
    return Participant(shown["key"], shown["key_id"], shown["version_id"], created["access_id"], application["system"])


async def eventually(look: Any, seconds: float = 10) -> Any:
    """What `look` returns, once it is not None."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if (found := await look()) is not None:
            return found
        await asyncio.sleep(0.03)
    raise AssertionError("it did not happen in time")


async def event_on(bus: Bus, subject: str) -> Any:
    async def look() -> Event | None:
        return await bus.last_event(subject)

    return await eventually(look)


async def job_where(api: httpx.AsyncClient, key: str, job_id: str, **wanted: Any) -> dict[str, Any]:
    async def look() -> dict[str, Any] | None:
        job: dict[str, Any] = (await api.get(f"/jobs/{job_id}", headers=bearer(key))).json()
        return job if all(job[name] == value for name, value in wanted.items()) else None

    return dict(await eventually(look))


def planned(job_id: str, questions: int, chunks: int = 1) -> JobPlanned:
    return JobPlanned(
        at=1,
        job_id=job_id,
        release_digest="a" * 64,
        pipeline_digest="b" * 64,
        datasets=(),
        samples=1,
        chunks=chunks,
        questions=questions,
        add_concurrency=1,
        search_concurrency=1,
    )


def unit_events(job_id: str, unit: str, index: int, outcome: str) -> list[Event]:
    place: dict[str, Any] = {"at": 1, "job_id": job_id, "unit": unit, "sample": "s1", "index": index, "dataset": "d"}
    opened = QuestionOpened(**place)
    searched = SearchReturned(**place, returned=3, memories=REF, attempts=2, latency=1500, received=9, attempt_log=None)
    if outcome == "unscored":
        return [
            opened,
            searched,
            UnitUnscored(
                **place,
                category="c",
                stage="answer",
                reason="transport",
                detail="gone\x00",
                attempts=2,
                attempt_log=None,
            ),
        ]
    return [
        opened,
        searched,
        AnswerGenerated(
            **place,
            answer=REF,
            answerer="extractive",
            context_items=2,
            prompt_tokens=10,
            completion_tokens=2,
            primary_calls=1,
            retry_calls=0,
            system_fingerprint=None,
            latency=900,
        ),
        AnswerScored(
            **place,
            category="c",
            capability="other",
            outcome=outcome,  # type: ignore[arg-type]
            score=1_000_000 if outcome == "correct" else 0,
            in_overall=True,
            rule="rule_judge",
            verdict=REF,
            evidence_recall=None,
            primary_calls=0,
            retry_calls=0,
        ),
    ]


async def finish(bus: Bus, participant: Participant, job: dict[str, Any], outcomes: list[str]) -> None:
    """What ingest, retrieval, judge and ledger would say of a job."""
    job_id = job["job_id"]
    chunk = ChunkAdded(
        at=1,
        job_id=job_id,
        unit="c1",
        sample="s1",
        index=0,
        messages=2,
        attempts=1,
        latency=5,
        received=9,
        attempt_log=None,
    )
    events: list[Event] = [planned(job_id, len(outcomes)), chunk]
    for index, outcome in enumerate(outcomes):
        events += unit_events(job_id, f"u{index}", index, outcome)
    events.append(JobSealed(at=1, job_id=job_id, state="completed", entries=9, last_leaf="c" * 64))
    none = Latencies(calls=0, p50=None, p95=None, p99=None)
    events.append(
        GatePassed(
            at=1,
            job_id=job_id,
            subject=RowSubject(
                key_id=participant.key_id,
                version_id=participant.version_id,
                system=job["system"],
                version=job["version"],
                track="textual",
                division="open_source",
                arm="participant",
                mode=job["mode"],
                run_label=job["run_label"],
                release_id=job["release_id"],
                release_digest=job["release_digest"],
                allow_private=True,
            ),
            seal="d" * 64,
            result=JobResult(
                overall=None, interval=None, datasets=(), add=none, search=none, retries=0, context_tokens=0
            ),
            checks=(),
            sketch=None,
        )
    )
    for event in events:
        await publish_once(bus, event)


async def start_job(api: httpx.AsyncClient, participant: Participant, **order: Any) -> httpx.Response:
    body = {"version_id": participant.version_id, "mode": "smoke", "run_label": uuid.uuid4().hex, **order}
    return await api.post("/jobs", json=body, headers=bearer(participant.key))


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


async def test_one_active_job_a_key_and_track_even_under_double_clicks(
    api: httpx.AsyncClient, bus: Bus, gateway: Running
) -> None:
    participant = await admitted(api, gateway)

    answers = await asyncio.gather(*(start_job(api, participant) for _ in range(8)))

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    started = next(answer.json() for answer in answers if answer.status_code == 201)
    refusals = [answer.json()["detail"] for answer in answers if answer.status_code == 409]
    assert {(refusal["reason"], refusal["job_id"]) for refusal in refusals} == {("job_active", started["job_id"])}
    # a cancelled job frees the place, and its label stays taken
    cancelled = await api.post(f"/jobs/{started['job_id']}/cancel", headers=bearer(participant.key))
    assert cancelled.json()["state"] == "cancelled"
    assert isinstance(await event_on(bus, job_subject(started["job_id"], JobCancelled)), JobCancelled)
    taken = await start_job(api, participant, run_label=started["run_label"])
    assert (taken.status_code, taken.json()["detail"]["reason"]) == (409, "run_label_taken")
    assert (await start_job(api, participant)).status_code == 201


async def test_idempotency_key_replays_the_first_answer(api: httpx.AsyncClient, gateway: Running) -> None:
    application, header = an_application(), {"Idempotency-Key": uuid.uuid4().hex}

    first, *rest = await asyncio.gather(
        *(api.post("/access-requests", json=application, headers=header) for _ in range(5))
    )
    other = await api.post("/operator/keys", json={"role": "reviewer"}, headers=header | bearer(gateway.operator_key))
    reused = await api.post("/operator/keys", json={"role": "operator"}, headers=header | bearer(gateway.operator_key))

    assert first.status_code == 201
    assert all(answer.json() == first.json() for answer in rest)
    assert other.status_code == 201
    assert (reused.status_code, reused.json()["detail"]["reason"]) == (409, "idempotency_key_reused")


async def test_a_redelivered_stream_counts_nothing_twice(
    api: httpx.AsyncClient, bus: Bus, gateway: Running, gateway_database: str
) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()
    await finish(bus, participant, job, ["correct", "incorrect", "unscored"])
    before = await job_where(api, participant.key, job["job_id"], stage="ended")

    # when another consumer brings the whole stream again from its first event
    again, stop = uuid.uuid4().hex, asyncio.Event()
    database = Database(DatabaseSettings(url=gateway_database))
    await database.open()
    projecting = asyncio.create_task(Projection(bus, database, installation_id=again).run(stop))

    async def read_again() -> bool | None:
        try:
            info = await bus.js.consumer_info("AML", f"gateway-{again}")
        except nats.js.errors.NotFoundError:
            return None
        return True if info.num_pending == 0 and info.num_ack_pending == 0 else None

    await eventually(read_again, seconds=30)
    stop.set()
    await projecting
    await database.close()
    await bus.js.delete_consumer("AML", f"gateway-{again}")
    after = (await api.get(f"/jobs/{job['job_id']}", headers=bearer(participant.key))).json()
    assert after["counts"] == before["counts"]
    assert after["stages"] == before["stages"]
    assert after["retries"] == before["retries"]
    assert after["ended_at"] == before["ended_at"]


async def test_a_stopped_projection_gives_its_messages_back(
    api: httpx.AsyncClient, bus: Bus, gateway: Running, gateway_database: str
) -> None:
    participant = await admitted(api, gateway)
    await finish(bus, participant, (await start_job(api, participant)).json(), ["correct"])
    again = uuid.uuid4().hex

    async def state() -> tuple[int, int, int]:
        """(delivered and held, last one delivered, all acknowledged up to here)."""
        try:
            info = await bus.js.consumer_info("AML", f"gateway-{again}")
        except nats.js.errors.NotFoundError:
            return 0, 0, 0
        assert info.delivered is not None
        assert info.ack_floor is not None
        return info.num_ack_pending or 0, info.delivered.stream_seq, info.ack_floor.stream_seq

    async def holding() -> bool | None:
        return True if (await state())[0] > 0 else None

    async def taken_over() -> bool | None:
        return True if (await state())[2] >= held else None

    # given one that holds messages and has no database to fold them into
    stop, database = asyncio.Event(), Database(DatabaseSettings(url=gateway_database))
    projecting = asyncio.create_task(Projection(bus, database, installation_id=again).run(stop))
    await eventually(holding)
    _, held, floor = await state()
    assert floor < held
    stop.set()
    await projecting
    # when the next one takes over
    await database.open()
    stop = asyncio.Event()
    projecting = asyncio.create_task(Projection(bus, database, installation_id=again).run(stop))
    # then it waits for no timeout
    await eventually(taken_over, seconds=0.8 * ACK_WAIT_SECONDS)
    stop.set()
    await projecting
    await database.close()
    await bus.js.delete_consumer("AML", f"gateway-{again}")


async def test_progress_streams_until_the_gate(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()
    snapshots: list[dict[str, Any]] = []

    async def listen() -> None:
        path = f"/jobs/{job['job_id']}/events"
        async with api.stream("GET", path, headers=bearer(participant.key), timeout=20) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            lines = [line async for line in stream.aiter_lines() if line.startswith("data: ")]
            snapshots.extend(json.loads(line.removeprefix("data: ")) for line in lines)

    listening = asyncio.create_task(listen())
    await asyncio.sleep(0.3)
    await finish(bus, participant, job, ["correct"])
    await asyncio.wait_for(listening, 15)

    assert snapshots[0]["state"] == "queued"
    assert snapshots[-1]["stage"] == "ended"


async def test_parked_units_are_driven_again(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    participant = await admitted(api, gateway)
    job_id = (await start_job(api, participant)).json()["job_id"]
    trigger = f"aml.v1.job.{job_id}.question_opened.abcd"
    await publish_once(bus, planned(job_id, 1))
    await publish_once(
        bus,
        UnitParked(
            at=1, job_id=job_id, unit="abcd-retrieval-1", stage="retrieval", trigger=trigger, error="Boom: unforeseen"
        ),
    )
    await job_where(api, participant.key, job_id, parked=1)
    operator = bearer(gateway.operator_key)
    parked = (await api.get(f"/operator/parked?job_id={job_id}", headers=operator)).json()["parked"]

    requeued = await api.post(f"/operator/jobs/{job_id}/requeue", headers=operator)

    assert [unit["error"] for unit in parked] == ["Boom: unforeseen"]
    assert requeued.json()["requeued"] == ["abcd-retrieval-1"]
    fact = await event_on(bus, job_subject(job_id, UnitRequeued, "abcd-retrieval-operator-1"))
    assert isinstance(fact, UnitRequeued)
    assert (fact.trigger, fact.stage) == (trigger, "retrieval")
    again = await api.post(f"/operator/jobs/{job_id}/requeue", headers=operator)
    assert (again.status_code, again.json()["detail"]["reason"]) == (409, "nothing_parked")


async def test_lost_database_connections_lose_nothing(
    api: httpx.AsyncClient, bus: Bus, gateway: Running, gateway_database: str
) -> None:
    participant = await admitted(api, gateway)
    job = (await start_job(api, participant)).json()

    with psycopg.connect(gateway_database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    await finish(bus, participant, job, ["correct", "incorrect"])

    async def look() -> dict[str, Any] | None:
        answer = await api.get(f"/jobs/{job['job_id']}", headers=bearer(participant.key))
        assert answer.status_code in (200, 503), answer.text
        return answer.json() if answer.status_code == 200 and answer.json()["stage"] == "ended" else None

    counts = (await eventually(look, seconds=20))["counts"]
    assert (counts["scored"], counts["correct"], counts["incorrect"]) == (2, 1, 1)
    # and the outbox goes on, too
    next_job = (await start_job(api, participant)).json()
    assert isinstance(await event_on(bus, job_subject(next_job["job_id"], JobRequested)), JobRequested)


async def test_a_ledger_that_is_away_is_said_to_be(api: httpx.AsyncClient) -> None:
    answers = [await api.get(f"/log/{path}") for path in ("checkpoint", "verifier", "proof/0?size=1")]

    assert [(answer.status_code, answer.json()["detail"]["reason"]) for answer in answers] == [
        (503, "ledger_unavailable")
    ] * 3
    assert (await api.get("/log/entries")).status_code == 404


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

    approved = await api.post(f"/access-requests/{created['access_id']}/approve", headers=bearer(gateway.operator_key))

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


OWN_PATHS = ("", "/results", "/questions", "/events")


async def test_someone_elses_job_does_not_exist(api: httpx.AsyncClient, gateway: Running) -> None:
    owner, stranger = await admitted(api, gateway), await admitted(api, gateway)
    job_id = (await start_job(api, owner)).json()["job_id"]

    answers = [await api.get(f"/jobs/{job_id}{path}", headers=bearer(stranger.key)) for path in OWN_PATHS]
    cancel = await api.post(f"/jobs/{job_id}/cancel", headers=bearer(stranger.key))
    order = {"version_id": owner.version_id, "mode": "smoke", "run_label": "mine"}
    version = await api.post("/jobs", json=order, headers=bearer(stranger.key))

    assert [answer.status_code for answer in (*answers, cancel, version)] == [404] * 6
    assert (await api.get("/jobs", headers=bearer(stranger.key))).json() == {"jobs": []}


ROLE_MATRIX = [
    ("GET", "/access-requests", {"reviewer", "operator"}),
    ("POST", "/access-requests/acc-0/approve", {"reviewer", "operator"}),
    ("POST", "/access-requests/acc-0/decline", {"reviewer", "operator"}),
    ("GET", "/me", {"participant", "reviewer", "operator"}),
    ("GET", "/versions", {"participant", "reviewer", "operator"}),
    ("GET", "/jobs", {"participant", "reviewer", "operator"}),
    ("POST", "/jobs", {"participant"}),
    ("POST", "/jobs/job-0/cancel", {"participant", "operator"}),
    ("GET", "/reviews", {"reviewer", "operator"}),
    ("POST", "/jobs/job-0/review", {"reviewer", "operator"}),
    ("POST", "/operator/runs", {"operator"}),
    ("POST", "/operator/keys", {"operator"}),
    ("GET", "/operator/parked", {"operator"}),
    ("POST", "/operator/jobs/job-0/requeue", {"operator"}),
]


async def test_every_route_refuses_the_other_roles(api: httpx.AsyncClient, gateway: Running) -> None:
    keys = {
        "participant": (await admitted(api, gateway)).key,
        "reviewer": await reviewer_key(api, gateway),
        "operator": gateway.operator_key,
    }
    for method, path, allowed in ROLE_MATRIX:
        nobody = await api.request(method, path)
        assert nobody.status_code == 401, path
        wrong = await api.request(method, path, headers=bearer("aml_p_0123456789abcdef0123456789"))
        assert wrong.json()["detail"]["reason"] == "key_unknown", path
        for role, key in keys.items():
            answer = await api.request(method, path, headers=bearer(key))
            assert (answer.status_code != 403) == (role in allowed), (method, path, role, answer.text)
            assert answer.status_code < 500, answer.text


BAD_APPLICATIONS: list[tuple[str, dict[str, Any]]] = [
    (
        "endpoints.add_url",
        {"endpoints": {"add_url": "https://u:p@example.org/a", "search_url": "https://example.org/"}},
    ),
    ("endpoints.add_url", {"endpoints": {"add_url": "ftp://example.org/a", "search_url": "https://example.org/"}}),
    ("memory_system_key", {"memory_system_key": None}),
    ("memory_system_key", {"memory_system_key": "two\nlines"}),
    ("memory_system_key", {"auth": "none"}),
    ("disclosure.commit", {"disclosure": {"repository": "https://example.org/repo"}}),
    ("disclosure.operations_contact", {"division": "commercial"}),
    ("public_display_consent", {"public_display_consent": False}),
    ("system", {"system": "nul\x00"}),
    ("system", {"system": "  "}),
    ("system", {"system": "x" * 121}),
    ("system", {"system": "trailing\n"}),
    ("system", {"system": "override \u202e"}),
    ("capacity.max_add_concurrency", {"capacity": {"max_add_concurrency": 0}}),
    ("track", {"track": "olfactory"}),
    ("body", {"surprise": 1}),
]


@pytest.mark.parametrize(("field", "changes"), BAD_APPLICATIONS)
async def test_a_bad_application_is_told_its_field(api: httpx.AsyncClient, field: str, changes: dict[str, Any]) -> None:
    answer = await api.post("/access-requests", json=an_application(**changes))

    assert answer.status_code == 422, answer.text
    found = [item["field"] for item in answer.json()["detail"]["fields"]]
    assert field in found or field == "body", answer.text
    assert answer.json()["detail"]["reason"] == "fields_invalid"


BAD_REQUESTS: list[tuple[int, bytes, str]] = [
    (400, b"{", "request_malformed"),
    (400, b"\xff\xfe", "request_malformed"),
    (422, b"[]", "fields_invalid"),
    (422, b"null", "fields_invalid"),
    (422, b"", "fields_invalid"),
    (413, b" " * 70_000, "body_too_large"),
    (400, b'{"contact": "\\ud800"}', "request_malformed"),
    (400, b"[" * 50_000, "request_malformed"),
]


@pytest.mark.parametrize(("status", "body", "reason"), BAD_REQUESTS)
async def test_a_bad_body_is_refused_in_one_line(api: httpx.AsyncClient, status: int, body: bytes, reason: str) -> None:
    answer = await api.post("/access-requests", content=body)

    assert (answer.status_code, answer.json()["detail"]["reason"]) == (status, reason)


BAD_PATHS = [
    ("GET", "/jobs/no-such-job", 404),
    ("GET", "/jobs/a%00b", 404),
    ("GET", "/jobs/%F0%9F%92%A9/results", 404),
    ("GET", "/jobs?limit=0", 422),
    ("GET", "/jobs?limit=a", 422),
    ("GET", "/jobs?offset=99999999999999999999999", 422),
    ("GET", "/access-requests?state=odd", 422),
    ("GET", "/operator/parked?job_id=%00", 404),
    ("PUT", "/jobs", 405),
    ("GET", "/nothing/here", 404),
]


@pytest.mark.parametrize(("method", "path", "status"), BAD_PATHS)
async def test_a_bad_path_has_a_reason(
    api: httpx.AsyncClient, gateway: Running, method: str, path: str, status: int
) -> None:
    answer = await api.request(method, path, headers=bearer(gateway.operator_key))

    assert answer.status_code == status, answer.text
    assert answer.json()["detail"]["reason"]


BESIDE_THE_API = ["/api", "/api/", "/api/other", "/api/v1", "/api/v2/jobs", "/nothing", "/health/other", "/board/none"]


@pytest.mark.parametrize("path", BESIDE_THE_API)
async def test_a_path_beside_the_api_has_a_reason_too(gateway: Running, path: str) -> None:
    async with httpx.AsyncClient(base_url=gateway.url) as client:
        answer = await client.get(path)

    assert answer.status_code == 404, answer.text
    assert answer.json()["detail"].keys() == {"reason", "message"}


async def test_a_body_is_bounded_on_every_path_however_it_is_sent(api: httpx.AsyncClient, gateway: Running) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(64):
            yield b" " * 4096

    operator = bearer(gateway.operator_key)
    for path in ("/jobs/job-0/review", "/operator/runs", "/access-requests/acc-0/approve"):
        whole = await api.post(path, content=b" " * 70_000, headers=operator)
        in_chunks = await api.post(path, content=endless(), headers=operator)
        large = await api.post(path, content=b" " * 4_000_000, headers=operator)
        assert [answer.status_code for answer in (whole, in_chunks, large)] == [413] * 3, path
        assert whole.json() == in_chunks.json() == large.json()
        assert whole.json()["detail"]["reason"] == "body_too_large"


async def test_full_run_needs_its_checklist_and_stays_within_capacity(api: httpx.AsyncClient, gateway: Running) -> None:
    participant = await admitted(api, gateway)

    unticked = await start_job(api, participant, mode="full", checklist=CHECKLIST | {"contract_followed": False})
    greedy = await start_job(api, participant, add_concurrency=5)

    assert "contract_followed" in unticked.json()["detail"]["fields"][0]["problem"]
    assert greedy.json()["detail"]["fields"][0]["field"] == "add_concurrency"


async def test_releases_are_listed_and_locked(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    listed = {release["release_id"]: release for release in (await api.get("/releases")).json()["releases"]}
    seen: list[ReleaseLocked] = []
    caught_up = asyncio.Event()
    stop = asyncio.Event()

    def keep(event: Event) -> None:
        if isinstance(event, ReleaseLocked):
            seen.append(event)

    following = asyncio.create_task(
        follow(bus, filter_subjects=[EVERYTHING], apply=keep, stop=stop, caught_up=caught_up)
    )
    await asyncio.wait_for(caught_up.wait(), 10)
    stop.set()
    await following

    assert listed["practice"]["default"] is True
    locked = {(event.release_id, event.release_digest) for event in seen}
    assert {(name, release["digest"]) for name, release in listed.items()} <= locked


async def test_pages_board_and_probes(gateway: Running) -> None:
    async with httpx.AsyncClient(base_url=gateway.url) as client:
        board = await client.get("/board/")
        bare = await client.get("/board")
        escapes = [
            await client.get(path)
            for path in ("/board/..%2f..%2fkek", "/board/%2e%2e/%2e%2e/kek", "/board//etc/passwd", "/board/none.css")
        ]
        front = await client.get("/")
        openapi = await client.get("/api/openapi.json")
        metrics = await client.get("/metrics")

        assert (board.status_code, board.text) == (200, "<h1>board</h1>")
        assert (await client.get("/board/board.json")).json() == {}
        assert bare.headers["location"] == "/board/"
        assert [answer.status_code for answer in escapes] == [404] * 4
        assert "default-src 'self'" in front.headers["content-security-policy"]
        assert "/api/v1/jobs" in openapi.json()["paths"]
        assert "aml_gateway_projected_events_total" in metrics.text


async def test_stop_waits_for_nobody_who_streams(api: httpx.AsyncClient, gateway: Running, tmp_path: Path) -> None:
    # given a second process on the same database, with an open stream
    port = free_port()
    log = tmp_path / "second.log"
    second = start_gateway(gateway.environment | {"AML_HTTP_PORT": str(port)}, log)
    url = f"http://127.0.0.1:{port}"
    try:
        await asyncio.to_thread(wait_ready, url, second, log)
        participant = await admitted(api, gateway)
        job_id = (await start_job(api, participant)).json()["job_id"]
        async with (
            httpx.AsyncClient(base_url=url) as client,
            client.stream("GET", f"/api/v1/jobs/{job_id}/events", headers=bearer(participant.key)) as stream,
        ):
            assert await anext(stream.aiter_lines())
            # when it is told to stop
            started = time.monotonic()
            second.send_signal(signal.SIGTERM)
            code = await asyncio.to_thread(second.wait, 10)
        # then it does, in order
        assert code == 0, log.read_text()
        assert time.monotonic() - started < 3
    finally:
        if second.poll() is None:
            second.kill()


def test_answers_probes_while_the_database_is_away(gateway: Running, tmp_path: Path) -> None:
    port, away = free_port(), free_port()
    log = tmp_path / "starting.log"
    changes = {"AML_HTTP_PORT": str(port), "AML_DATABASE_URL": f"postgresql://aml@127.0.0.1:{away}/aml"}
    process = start_gateway(gateway.environment | changes, log)
    try:
        deadline = time.monotonic() + 15
        while time.monotonic() < deadline:
            try:
                ready = httpx.get(f"http://127.0.0.1:{port}/health/ready", timeout=5)
                break
            except httpx.TransportError:
                time.sleep(0.05)
        live = httpx.get(f"http://127.0.0.1:{port}/health/live", timeout=5)
        call = httpx.get(f"http://127.0.0.1:{port}/api/v1/releases", timeout=5)
        call_with_key = httpx.get(f"http://127.0.0.1:{port}/api/v1/me", headers=bearer("a" * 40), timeout=15)
    finally:
        process.terminate()
        code = process.wait(10)

    assert ready.status_code == 503
    assert "database" in json.dumps(ready.json()["problems"])
    assert live.status_code == 200
    assert (call.status_code, call.json()["detail"]["reason"]) == (503, "starting")
    assert call_with_key.status_code == 503
    assert code == 0, log.read_text()


def test_a_taken_port_is_one_line(gateway: Running) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "aml.gateway"],
        env=gateway.environment,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )

    assert done.returncode == 2
    assert done.stderr.startswith("error: AML_HTTP_PORT (127.0.0.1:")
    assert len(done.stderr.splitlines()) == 1
