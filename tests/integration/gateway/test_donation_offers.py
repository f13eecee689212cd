"""Benchmarks offered over HTTP: whole or refused, once, and linked to a participant's key."""

import hashlib
import uuid
from typing import Any

import httpx
import msgspec
import psycopg
import pytest
from tests.integration.gateway.callers import admitted, bearer
from tests.integration.gateway.donors import GOOD, an_offer, send
from tests.integration.gateway.gateway_process import Running

from aml.gateway.donations.bodies import BenchmarkOrder


async def test_an_offer_sent_twice_is_one_and_its_record_tells_nothing_of_it(
    api: httpx.AsyncClient, gateway_database: str
) -> None:
    offer, key = an_offer(), uuid.uuid4().hex

    first, again = [
        await api.post("/benchmark-proposals", json=offer, headers={"Idempotency-Key": key}) for _ in range(2)
    ]
    other = await api.post(
        "/benchmark-proposals", json=offer | {"title": "Not theirs"}, headers={"Idempotency-Key": key}
    )

    assert first.json() == again.json()
    assert other.json()["proposal_id"] != first.json()["proposal_id"]
    order = msgspec.convert(offer, BenchmarkOrder)
    guesses = {hashlib.sha256(msgspec.json.encode(order, order=each)).hexdigest() for each in (None, "sorted")}
    with psycopg.connect(gateway_database) as connection:
        kept = connection.execute("SELECT scope FROM gateway.idempotency WHERE key = %s", (key,)).fetchall()
    assert len(kept) == 2
    assert not any(guess in scope for (scope,) in kept for guess in guesses)


async def test_an_offer_that_is_sent_twice_is_one(api: httpx.AsyncClient) -> None:
    header = {"Idempotency-Key": uuid.uuid4().hex}
    offer = an_offer()

    first, second = [await api.post("/benchmark-proposals", json=offer, headers=header) for _ in range(2)]

    assert first.json() == second.json()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("email", "nobody"),
        ("license", "do what you want, but"),
        ("provenance", []),
        ("provenance", ["javascript:alert(1)"]),
        ("provenance", ["https://user:secret@example.org/"]),
        ("title", "over\u202eride"),
        ("title", " "),
        ("sample", ""),
        ("sample", "x" * 20_001),
        ("measures", "\n"),
    ],
)
async def test_an_offer_with_a_bad_field_is_told_which(api: httpx.AsyncClient, field: str, value: Any) -> None:
    answer = await api.post("/benchmark-proposals", json=an_offer(**{field: value}))

    assert answer.status_code == 422, answer.text
    assert field in answer.text


async def test_a_participants_key_links_the_offer(api: httpx.AsyncClient, gateway: Running) -> None:
    participant, stranger = await admitted(api, gateway), await admitted(api, gateway)
    made = await api.post("/benchmark-proposals", json=an_offer(), headers=bearer(participant.key))
    proposal = made.json()
    path = f"/benchmark-proposals/{proposal['proposal_id']}"

    own = (await api.get("/benchmark-proposals", headers=bearer(participant.key))).json()["proposals"]
    sent = await send(api, proposal, GOOD, key=participant.key)
    refused = [
        await api.get(path, headers=bearer(stranger.key)),
        await send(api, proposal, GOOD, key=stranger.key),
        await send(api, proposal, GOOD, key=gateway.operator_key),
    ]

    assert [item["proposal_id"] for item in own] == [proposal["proposal_id"]]
    assert sent.status_code == 200
    assert [answer.status_code for answer in refused] == [404, 404, 404]
    assert (await api.get(path)).status_code == 401
    assert (await api.get(path, headers=bearer("proposal_somebody_elses_token"))).status_code == 401
    assert (await api.get(f"{path}/package", headers=bearer(participant.key))).status_code == 403
    assert (await api.get("/benchmark-proposals", headers=bearer(stranger.key))).json() == {"proposals": []}
