"""Benchmarks offered over HTTP: whole or refused, and nothing half done."""

import asyncio
import hashlib
import json
import socket
import time
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
import psycopg
import pytest
from tests.integration.gateway.callers import admitted, bearer, event_on, reviewer_key
from tests.integration.gateway.gateway_process import Running
from tests.unit.gateway.donations.packages import zipped

from aml.contracts.proposals import BenchmarkProposed, ProposalDecided
from aml.gateway.donations.bodies import BenchmarkOrder
from aml.runtime.bus import Bus

LIMIT = 64 * 1024 * 1024
GOOD = zipped(
    {"README.md": "# A set", "LICENSE": "CC-BY-4.0", "schema.json": "{}", "data.jsonl": '{"q": "?", "a": "!"}\n' * 9}
)


def an_offer(**changes: Any) -> dict[str, Any]:
    return {
        "contact": "Ada",
        "email": "ada@example.org",
        "organisation": "Ada's lab",
        "title": f"Errands {uuid.uuid4().hex[:8]}",
        "track": "textual",
        "scale": "40 conversations, 900 questions",
        "measures": "Whether errands are remembered in their order.",
        "sample": '{"question": "What came after the post office?", "answer": "The bakery."}',
        "license": "CC-BY-4.0",
        "provenance": ["https://example.org/errands"],
    } | changes


async def offered(api: httpx.AsyncClient, **changes: Any) -> dict[str, Any]:
    answer = await api.post("/benchmark-proposals", json=an_offer(**changes))
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def send(
    api: httpx.AsyncClient, proposal: dict[str, Any], content: Any, filename: str = "set.zip", key: str | None = None
) -> httpx.Response:
    return await api.put(
        f"/benchmark-proposals/{proposal['proposal_id']}/package",
        params={"filename": filename},
        content=content,
        headers=bearer(key or proposal["proposal_token"]),
        timeout=60,
    )


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


def stored(gateway: Running) -> list[Path]:
    folder = Path(gateway.environment["AML_DONATIONS_FOLDER"])
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_from_an_offer_to_a_decision(api: httpx.AsyncClient, bus: Bus, gateway: Running) -> None:
    reviewer = bearer(await reviewer_key(api, gateway))
    proposal = await offered(api)
    path = f"/benchmark-proposals/{proposal['proposal_id']}"

    # the fact says nothing of contacts
    fact = await event_on(bus, f"aml.v1.proposal.{proposal['proposal_id']}.benchmark_proposed")
    assert isinstance(fact, BenchmarkProposed)
    assert (fact.track, fact.license, fact.key_id) == ("textual", "CC-BY-4.0", None)

    # a package is read to its end and described
    sent = await send(api, proposal, GOOD)
    assert sent.status_code == 200, sent.text
    package = sent.json()["package"]
    assert (package["bytes"], package["sha256"]) == (len(GOOD), hashlib.sha256(GOOD).hexdigest())
    assert package["report"]["missing"] == []
    rows = {member["name"]: member["data"] for member in package["report"]["members"]}
    assert rows["data.jsonl"] == {"format": "jsonl", "rows": 9, "fields": ["q", "a"]}

    # another one takes its place, and only one file is kept
    before = len(stored(gateway))
    again = await send(api, proposal, b"q,a\n?,!\n", "set.csv")
    assert again.json()["package"]["report"]["format"] == "csv"
    assert len(stored(gateway)) == before

    # reviewers read and download it; its donor sees what is decided
    queue = (await api.get("/benchmark-proposals?state=submitted&limit=500", headers=reviewer)).json()["proposals"]
    assert proposal["proposal_id"] in [item["proposal_id"] for item in queue]
    loaded = await api.get(f"{path}/package", headers=reviewer)
    assert loaded.content == b"q,a\n?,!\n"
    assert loaded.headers["content-disposition"].startswith("attachment")
    assert loaded.headers["x-content-type-options"] == "nosniff"
    assert loaded.headers["content-type"] == "application/octet-stream"
    more = {"decision": "ask_for_more", "reason": "say how the answers were checked"}
    assert (await api.post(f"{path}/decision", json=more, headers=reviewer)).json()["state"] == "more_asked"
    accepted = await api.post(f"{path}/decision", json={"decision": "accept", "reason": "fits"}, headers=reviewer)
    assert accepted.json() == {
        "proposal_id": proposal["proposal_id"], "number": 2, "decision": "accept", "state": "accepted",
    }  # fmt: skip
    decided = await event_on(bus, f"aml.v1.proposal.{proposal['proposal_id']}.proposal_decided.2")
    assert isinstance(decided, ProposalDecided)
    assert decided.package == hashlib.sha256(b"q,a\n?,!\n").hexdigest()
    seen = (await api.get(path, headers=bearer(proposal["proposal_token"]))).json()
    assert [each["decision"] for each in seen["decisions"]] == ["ask_for_more", "accept"]

    # and what was decided on stays as it was
    late = await send(api, proposal, GOOD)
    assert (late.status_code, late.json()["detail"]["reason"]) == (409, "already_decided")
    twice = await api.post(f"{path}/decision", json=more, headers=reviewer)
    assert twice.json()["detail"]["reason"] == "already_decided"


async def test_a_declined_package_is_not_kept(api: httpx.AsyncClient, gateway: Running) -> None:
    reviewer = bearer(await reviewer_key(api, gateway))
    proposal = await offered(api)
    path = f"/benchmark-proposals/{proposal['proposal_id']}"
    before = len(stored(gateway))
    await send(api, proposal, GOOD)

    declined = await api.post(f"{path}/decision", json={"decision": "decline", "reason": "no"}, headers=reviewer)

    assert declined.json()["state"] == "declined"
    assert len(stored(gateway)) == before
    assert (await api.get(f"{path}/package", headers=reviewer)).status_code == 404
    assert (await api.get(path, headers=reviewer)).json()["package"]["sha256"] == hashlib.sha256(GOOD).hexdigest()


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


@pytest.mark.parametrize(
    ("content", "filename"),
    [
        (b"", "set.csv"),
        (b"{}", "set.zip"),
        (GOOD, "set.jsonl"),
        (zipped({"../a.txt": "x"}), "set.zip"),
        (zipped({"zeros.txt": bytes(200 * 1024 * 1024)}), "set.zip"),
        (b'{"a": 1}\nnot json\n', "set.jsonl"),
        (b"[1, 2", "set.json"),
        (b"\xff\xfe", "set.csv"),
    ],
)
async def test_a_package_that_is_not_what_it_says_leaves_nothing(
    api: httpx.AsyncClient, gateway: Running, content: bytes, filename: str
) -> None:
    proposal = await offered(api)
    before = stored(gateway)

    answer = await send(api, proposal, content, filename)

    assert answer.status_code == 422, answer.text
    assert answer.json()["detail"]["fields"][0]["field"] == "package"
    assert stored(gateway) == before
    read = await api.get(f"/benchmark-proposals/{proposal['proposal_id']}", headers=bearer(proposal["proposal_token"]))
    assert read.json()["package"] is None


@pytest.mark.parametrize("filename", ["", "set", "set.exe", "../set.csv", "a/b.csv", "con.csv", "a\\b.csv", "x" * 300])
async def test_a_file_name_that_is_none_is_refused(api: httpx.AsyncClient, filename: str) -> None:
    answer = await send(api, await offered(api), b"q,a\n1,2\n", filename)

    assert answer.status_code == 422, answer.text
    assert "filename" in answer.text


async def test_a_gigabyte_is_refused_before_it_is_sent(api: httpx.AsyncClient, gateway: Running) -> None:
    proposal = await offered(api)
    before, began = stored(gateway), time.monotonic()

    async def endless() -> Any:
        for _ in range(1024):
            yield bytes(1024 * 1024)

    announced = await api.put(
        f"/benchmark-proposals/{proposal['proposal_id']}/package",
        params={"filename": "set.zip"},
        content=endless(),
        headers=bearer(proposal["proposal_token"]) | {"Content-Length": str(1024**3)},
        timeout=60,
    )
    counted = await send(api, proposal, endless())

    assert (announced.status_code, counted.status_code) == (413, 413)
    assert announced.json()["detail"]["reason"] == "package_too_large"
    assert counted.json()["detail"]["reason"] == "package_too_large"
    assert time.monotonic() - began < 20
    assert stored(gateway) == before
    assert peak_memory(gateway.process.pid) < 400 * 1024 * 1024


async def test_an_upload_that_breaks_off_leaves_nothing(api: httpx.AsyncClient, gateway: Running) -> None:
    proposal = await offered(api)
    before = stored(gateway)
    address = urlsplit(gateway.url)
    request = (
        f"PUT /api/v1/benchmark-proposals/{proposal['proposal_id']}/package?filename=set.zip HTTP/1.1\r\n"
        f"Host: {address.netloc}\r\nAuthorization: Bearer {proposal['proposal_token']}\r\nContent-Length: 5000000\r\n\r\n"
    )
    with socket.create_connection((str(address.hostname), int(address.port or 0))) as connection:
        connection.sendall(request.encode() + bytes(2_000_000))
        for _ in range(100):  # the first piece is on its way to the disk
            await asyncio.sleep(0.02)
            if len(stored(gateway)) > len(before):
                break
        assert len(stored(gateway)) > len(before)

    for _ in range(200):
        await asyncio.sleep(0.02)
        if stored(gateway) == before:
            break
    assert stored(gateway) == before
    assert (await send(api, proposal, GOOD)).status_code == 200


async def test_uploads_at_once_stay_apart(api: httpx.AsyncClient) -> None:
    proposal = await offered(api)
    packages = [json.dumps([{"number": number}]).encode() for number in range(3)]

    answers = await asyncio.gather(*(send(api, proposal, package, "set.json") for package in packages))
    read = await api.get(f"/benchmark-proposals/{proposal['proposal_id']}", headers=bearer(proposal["proposal_token"]))

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert read.json()["package"]["sha256"] in {hashlib.sha256(package).hexdigest() for package in packages}


async def test_nobody_decides_on_their_own_organisations_offer(api: httpx.AsyncClient, gateway: Running) -> None:
    made = await api.post("/operator/keys", json={"role": "reviewer"}, headers=bearer(gateway.operator_key))
    link = f"/operator/keys/{made.json()['key_id']}/reviewer-link"
    linked = await api.put(link, json={"organisation": "ADAS  LAB"}, headers=bearer(gateway.operator_key))
    proposal = await offered(api)
    path = f"/benchmark-proposals/{proposal['proposal_id']}/decision"

    refused = await api.post(path, json={"decision": "accept", "reason": "mine"}, headers=bearer(made.json()["key"]))
    await api.put(link, json={}, headers=bearer(gateway.operator_key))
    taken = await api.post(path, json={"decision": "accept", "reason": "not mine"}, headers=bearer(made.json()["key"]))

    assert linked.status_code == 200, linked.text
    assert (refused.status_code, refused.json()["detail"]["reason"]) == (403, "own_system")
    assert taken.status_code == 200


def peak_memory(pid: int) -> int:
    """Bytes of the most real memory that the process ever had."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
