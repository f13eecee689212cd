"""A memory system key is in no table, on no subject, in no log, in no answer and in no file, however it is spelled."""

import base64
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import psycopg
from psycopg import sql
from tests.factories.keyed_memory import keyed_memory
from tests.integration.gateway.callers import Participant, an_application, bearer, event_on, start_job
from tests.integration.gateway.gateway_process import Running

from aml.contracts.jobs import JobRequested
from aml.rules.identity import EVERYTHING, STREAM, job_subject
from aml.runtime.bus import Bus


def spellings(key: str) -> Iterator[bytes]:
    plain = key.encode()
    yield from (plain, plain.hex().encode(), base64.b64encode(plain)[:-4], quote(key, safe="").encode())


async def test_keys_show_nowhere(api: httpx.AsyncClient, bus: Bus, gateway: Running, gateway_database: str) -> None:
    # given keys that were sent in every way that takes one, right and wrong, twice and in the wrong place
    keys = [f"canary/{name}+{uuid.uuid4().hex}" for name in ("first", "second", "third", "misplaced")]
    operator = bearer(gateway.operator_key)
    async with keyed_memory(keys[1]) as memory:
        application = an_application(endpoints=memory.endpoints, memory_system_key=keys[0])
        header = {"Idempotency-Key": uuid.uuid4().hex}
        answers = [await api.post("/access-requests", json=application, headers=header) for _ in range(2)]
        created = answers[0].json()
        path, claim = f"/access-requests/{created['access_id']}", bearer(created["claim_token"])
        answers.append(await api.post(f"{path}/check", json={"memory_system_key": keys[1]}, headers=claim))
        assert answers[-1].json()["passed"]
        answers.append(await api.post("/access-requests", json=application | {"auth": keys[3]}))
        answers.append(
            await api.post("/access-requests", json=application | {"contact": ["x"], "version": keys[3] * 9})
        )
    approved = await api.post(f"{path}/approve", json={"override_reason": "r"}, headers=operator)
    shown = await api.post(f"{path}/claim", headers=claim)
    body = shown.json()
    participant = Participant(body["key"], body["key_id"], body["version_id"], created["access_id"], "")
    own = bearer(participant.key)
    replaced = await api.put(
        f"/versions/{participant.version_id}/memory-system-key",
        json={"auth": "token", "memory_system_key": keys[2]},
        headers=own,
    )
    job = await start_job(api, participant)
    assert isinstance(await event_on(bus, job_subject(job.json()["job_id"], JobRequested)), JobRequested)
    answers += [
        approved,
        shown,
        replaced,
        job,
        await api.get("/versions", headers=own),
        await api.get("/access-requests?limit=500", headers=operator),
        await api.get(path, headers=claim),
        await api.get("/operator/keys?limit=500", headers=operator),
    ]

    # when everything that the platform wrote is read
    home = gateway.log.parent
    written = {str(file): file.read_bytes() for file in home.rglob("*") if file.is_file()}
    written |= {f"answer {number}": answer.content for number, answer in enumerate(answers)}
    written["stream"] = await whole_stream(bus)
    written["database"] = whole_database(gateway_database)

    # then none of it holds a key, nor the leaderboard's own
    secrets = [*keys, participant.key]
    found = {
        (name, secret)
        for name, data in written.items()
        for secret in secrets
        for spelling in spellings(secret)
        if spelling in data
    }
    assert found == {(f"answer {answers.index(shown)}", participant.key)}
    assert len(written["database"]) > 10_000
    assert len(written["stream"]) > 1_000


async def whole_stream(bus: Bus) -> bytes:
    parts = []
    subscription = await bus.js.subscribe(EVERYTHING, stream=STREAM, ordered_consumer=True)
    info = await bus.js.stream_info(STREAM)
    for _ in range(info.state.messages):
        message = await subscription.next_msg(timeout=5)
        parts.append(message.subject.encode() + b"\n" + message.data)
    await subscription.unsubscribe()
    return b"\n".join(parts)


def whole_database(url: str) -> bytes:
    """Every row of every table as text, and its `bytea` as the bytes that they are."""
    parts: list[bytes] = []
    with psycopg.connect(url) as connection:
        tables = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'gateway'::regnamespace AND relkind = 'r'"
        ).fetchall()
        for (table,) in tables:
            rows = connection.execute(sql.SQL("SELECT * FROM gateway.{}").format(sql.Identifier(table))).fetchall()
            parts += [value if isinstance(value, bytes) else str(value).encode() for row in rows for value in row]
    return b"\n".join(parts)


def test_the_log_is_where_it_is_looked_for(gateway: Running) -> None:
    assert isinstance(gateway.log, Path)
    assert gateway.log.read_bytes() != b""
