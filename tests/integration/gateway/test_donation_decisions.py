"""Offered benchmarks before their reviewers: read, decided on, and by nobody of the donor's own."""

import hashlib

import httpx
from tests.integration.gateway.callers import bearer, event_on, reviewer_key
from tests.integration.gateway.donors import GOOD, offered, send, stored
from tests.integration.gateway.gateway_process import Running

from aml.contracts.proposals import BenchmarkProposed, ProposalDecided
from aml.runtime.bus import Bus


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
