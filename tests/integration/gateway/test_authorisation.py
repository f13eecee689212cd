"""Every route of the OpenAPI document, asked by everybody: with no key, with a dead one, as somebody else, and in each role."""

import asyncio
import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from tests.integration.gateway.callers import Participant, admitted, an_application, bearer, start_job
from tests.integration.gateway.gateway_process import Running

DEAD = {"unknown": "key_unknown", "replaced": "key_replaced", "revoked": "key_revoked", "expired": "key_expired"}
"""How a key is no good, and what a caller is told."""


@dataclass(frozen=True)
class Row:
    """What each caller gets, in the order in which they ask: `owner` is the participant whose thing it is."""

    nobody: str
    other: str
    reviewer: str
    operator: str
    owner: str
    token: str = ""
    """By the claim token or the proposal's, where the route takes one."""
    dead: str = "401"
    body: Any = None
    content: bytes = b""
    query: str = ""


def row(answers: str, body: Any = None, **more: Any) -> Row:
    """`answers`: statuses for nobody, other, reviewer, operator, owner and, where there is one, a token."""
    callers = ("nobody", "other", "reviewer", "operator", "owner", "token")
    told: dict[str, Any] = dict(zip(callers, answers.split(), strict=False))
    return Row(**told, body=body, **more)


def everybody(status: str) -> Row:
    """Open: no key is looked at."""
    return row(" ".join([status] * 5), dead=status)


SAID = {"reason": "because"}
PROPOSAL = {
    "contact": "Cem", "email": "cem@example.org", "organisation": "Archive", "title": "Letters", "track": "textual",
    "scale": "ten samples", "measures": "long silence", "sample": "{}", "license": "CC-BY-4.0",
    "provenance": ["https://example.org/letters"],
}  # fmt: skip

TABLE: dict[tuple[str, str], Row] = {
    # method, path                                      nobody other reviewer operator owner (token)
    ("post", "/access-requests"): row("201 201 403 403 201", an_application()),
    ("get", "/access-requests"): row("401 403 200 200 403"),
    ("get", "/access-requests/{access_id}"): row("401 401 401 401 401 200"),
    ("post", "/access-requests/{access_id}/claim"): row("401 401 401 401 401 409"),
    ("post", "/access-requests/{access_id}/check"): row("401 403 200|429 200|429 403 200|429"),
    ("post", "/access-requests/{access_id}/approve"): row("401 403 200 409 403", {"override_reason": "nobody listens"}),
    ("post", "/access-requests/{access_id}/decline"): row("401 403 200 409 403", SAID),
    ("get", "/me"): row("401 200 200 200 200"),
    ("post", "/me/key/rotate"): row("401 200 200 200 200"),
    ("post", "/me/key/revoke"): row("401 200 200 200 200", SAID),
    ("get", "/operator/keys"): row("401 403 403 200 403"),
    ("post", "/operator/keys"): row("401 403 403 201 403", {"role": "reviewer"}),
    ("post", "/operator/keys/{key_id}/revoke"): row("401 403 403 200 403", SAID),
    ("get", "/versions"): row("401 200 200 200 200"),
    ("patch", "/versions/{version_id}"): row("401 404 403 403 200", {"description": "Another one."}),
    ("put", "/versions/{version_id}/memory-system-key"): row(
        "401 404 403 403 200", {"auth": "bearer", "memory_system_key": "another-key"}
    ),
    ("post", "/versions/{version_id}/withdraw"): row("401 404 403 403 200", SAID),
    ("get", "/jobs"): row("401 200 200 200 200"),
    ("post", "/jobs"): row("401 404 403 403 201", {"version_id": "{version_id}", "mode": "smoke", "run_label": "once"}),
    ("get", "/jobs/{job_id}"): row("401 404 200 200 200"),
    ("get", "/jobs/{job_id}/events"): row("401 404 200 200 200"),
    ("post", "/jobs/{job_id}/cancel"): row("401 404 403 200 409"),
    ("post", "/jobs/{job_id}/resume"): row("401 404 403 403 409"),
    ("get", "/quotas"): row("401 200 403 403 200"),
    ("get", "/jobs/{job_id}/results"): row("401 404 409 409 409"),
    ("get", "/jobs/{job_id}/results.json"): row("401 404 409 409 409"),
    ("get", "/jobs/{job_id}/results.csv"): row("401 404 409 409 409"),
    ("get", "/jobs/{job_id}/questions"): row("401 404 200 200 200"),
    ("get", "/jobs/{job_id}/questions.jsonl"): row("401 404 200 200 200"),
    ("get", "/jobs/{job_id}/questions.csv"): row("401 404 200 200 200"),
    ("get", "/jobs/{job_id}/questions/{unit}"): row("401 404 404 404 404"),
    ("get", "/jobs/{job_id}/comparison"): row("401 404 404 404 404", query="with=job-0"),
    ("get", "/jobs/{job_id}/contract"): row("401 404 404 404 404"),
    ("get", "/jobs/{job_id}/decisions"): row("401 404 200 200 200"),
    ("post", "/jobs/{job_id}/review"): row("401 403 409 409 403", {"decision": "approve", **SAID}),
    ("post", "/jobs/{job_id}/deletion-attestation"): row("401 404 403 403 409", {"statement": "all of it"}),
    ("get", "/deletion-attestations"): row("401 200 200 200 200"),
    ("get", "/reviews"): row("401 403 200 200 403"),
    ("get", "/reviews/{job_id}"): row("401 403 409 409 403"),
    ("get", "/reviews/{job_id}/fair-play"): row("401 403 200 200 403"),
    ("post", "/reviews/{job_id}/notes"): row("401 403 201 201 403", {"text": "seen"}),
    ("post", "/benchmark-proposals"): row("201 201 403 403 201", PROPOSAL),
    ("get", "/benchmark-proposals"): row("401 200 200 200 200"),
    ("get", "/benchmark-proposals/{proposal_id}"): row("401 404 200 200 200 200"),
    ("put", "/benchmark-proposals/{proposal_id}/package"): row(
        "401 404 404 404 200 200", content=b'{"a": 1}\n', query="filename=data.jsonl"
    ),
    ("get", "/benchmark-proposals/{proposal_id}/package"): row("401 403 404 404 403"),
    ("post", "/benchmark-proposals/{proposal_id}/decision"): row(
        "401 403 200 409 403", {"decision": "accept", **SAID}
    ),
    ("get", "/operator/overview"): row("401 403 403 200 403"),
    ("put", "/operator/keys/{key_id}/reviewer-link"): row("401 403 403 200 403", {"organisation": "Elsewhere"}),
    ("post", "/operator/runs"): row("401 403 403 422 403", {}),
    ("get", "/operator/parked"): row("401 403 403 200 403"),
    ("post", "/operator/jobs/{job_id}/requeue"): row("401 403 403 409 403"),
    ("get", "/releases"): everybody("200"),
    ("get", "/cycles"): everybody("200"),
    ("get", "/cycles/{cycle_id}"): everybody("404"),
    ("get", "/log/checkpoint"): everybody("503"),  # no ledger runs beside this gateway
    ("get", "/log/verifier"): everybody("503"),
    ("get", "/log/proof/{index}"): everybody("503"),
}  # fmt: skip

BY_CLAIM_TOKEN = ("/access-requests/{access_id}", "/access-requests/{access_id}/claim")
"""Whatever else is sent there is no claim token, a good key as well as a dead one."""


@dataclass
class Cast:
    """Everybody who asks, with keys of this row alone: some rows end them."""

    names: dict[str, str]
    """What stands for each parameter of a path."""
    keys: dict[str, str]
    token: str


@pytest.fixture(scope="session")
def dead_keys(gateway: Running) -> dict[str, str]:
    """Keys that were good once, but for the first."""
    operator = bearer(gateway.operator_key)

    async def make() -> dict[str, str]:
        async with httpx.AsyncClient(base_url=f"{gateway.url}/api/v1", timeout=15) as api:
            replaced, revoked = await admitted(api, gateway), await admitted(api, gateway)
            await api.post("/me/key/rotate", headers=bearer(replaced.key))
            await api.post("/me/key/revoke", json=SAID, headers=bearer(revoked.key))
            soon = datetime.now(UTC) + timedelta(seconds=1)
            order = {"role": "operator", "expires_at": soon.isoformat()}
            expired = (await api.post("/operator/keys", json=order, headers=operator)).json()["key"]
            await asyncio.sleep(1.2)
        unknown = "aml_o_0123456789abcdef0123456789abcdef"
        return {"unknown": unknown, "replaced": replaced.key, "revoked": revoked.key, "expired": expired}

    return asyncio.run(make())


async def a_cast(api: httpx.AsyncClient, gateway: Running, path: str) -> Cast:
    owner, other = await admitted(api, gateway), await admitted(api, gateway)
    made = [await role_key(api, gateway, role) for role in ("reviewer", "operator", "reviewer")]
    names = {
        "version_id": owner.version_id,
        "key_id": made[2]["key_id"],
        "unit": "none",
        "cycle_id": "none",
        "index": "0",
    }
    token = ""
    if "{job_id}" in path:
        names["job_id"] = (await start_job(api, owner)).json()["job_id"]
    if "{access_id}" in path:
        created = (await api.post("/access-requests", json=an_application())).json()
        names["access_id"], token = created["access_id"], created["claim_token"]
    if "{proposal_id}" in path:
        created = await proposed(api, owner)
        names["proposal_id"], token = created["proposal_id"], created["proposal_token"]
    keys = {"other": other.key, "reviewer": made[0]["key"], "operator": made[1]["key"], "owner": owner.key}
    return Cast(names, keys, token)


async def role_key(api: httpx.AsyncClient, gateway: Running, role: str) -> dict[str, Any]:
    order = {"role": role, "label": uuid.uuid4().hex}
    made = await api.post("/operator/keys", json=order, headers=bearer(gateway.operator_key))
    return dict(made.json())


async def proposed(api: httpx.AsyncClient, owner: Participant) -> dict[str, Any]:
    return dict((await api.post("/benchmark-proposals", json=PROPOSAL, headers=bearer(owner.key))).json())


async def ask(
    api: httpx.AsyncClient, method: str, path: str, asked: Row, cast: Cast, key: str | None
) -> tuple[str, dict[str, Any]]:
    """The status, and the detail of a refusal. A stream is not read to its end."""
    url = path.format(**cast.names) + (f"?{asked.query}" if asked.query else "")
    sent: dict[str, Any] = {"headers": {} if key is None else bearer(key)}
    if asked.content:
        sent["content"] = asked.content
    elif asked.body is not None:
        body = asked.body | {
            name: value.format(**cast.names) for name, value in asked.body.items() if value == "{version_id}"
        }
        sent["json"] = body
    async with api.stream(method.upper(), url, **sent) as answer:
        if answer.is_success:
            return str(answer.status_code), {}
        await answer.aread()
        return str(answer.status_code), answer.json()["detail"]


def documented(gateway: Running) -> dict[tuple[str, str], dict[str, Any]]:
    paths = httpx.get(f"{gateway.url}/api/openapi.json", timeout=15).json()["paths"]
    return {
        (method, path.removeprefix("/api/v1")): operation
        for path, item in paths.items()
        for method, operation in item.items()
        if method in ("get", "post", "put", "patch", "delete")
    }


def test_the_table_names_every_route_and_no_other(gateway: Running) -> None:
    routes = set(documented(gateway))

    assert routes - set(TABLE) == set(), "routes without a row: who may call them?"
    assert set(TABLE) - routes == set(), "rows of routes that are gone"


def test_the_document_says_which_routes_need_a_key(gateway: Running) -> None:
    for route, operation in documented(gateway).items():
        security = operation.get("security", [])
        needs = bool(security) and {} not in security
        assert needs == (TABLE[route].nobody == "401"), route
        assert bool(security) == (TABLE[route].dead == "401"), route


def test_the_document_names_the_roles_that_are_let_through(gateway: Running) -> None:
    named = 0
    for route, operation in documented(gateway).items():
        if (found := re.search(r"key of role ([a-z ]+)\.$", operation["description"])) is None:
            continue
        roles, asked = found[1].split(" or "), TABLE[route]
        answers = {"participant": asked.owner, "reviewer": asked.reviewer, "operator": asked.operator}
        assert {role for role, status in answers.items() if status != "403"} == set(roles), route
        named += 1
    assert named > 40


@pytest.mark.parametrize(("method", "path"), TABLE, ids=lambda part: part)
async def test_everybody_gets_what_is_theirs(
    api: httpx.AsyncClient, gateway: Running, dead_keys: dict[str, str], method: str, path: str
) -> None:
    asked, cast = TABLE[method, path], await a_cast(api, gateway, path)

    found = {"nobody": await ask(api, method, path, asked, cast, None)}
    dead = {state: await ask(api, method, path, asked, cast, key) for state, key in dead_keys.items()}
    for caller in ("other", "reviewer", "operator", "owner"):
        found[caller] = await ask(api, method, path, asked, cast, cast.keys[caller])
    if asked.token:
        found["token"] = await ask(api, method, path, asked, cast, cast.token)

    wrong = {
        caller: (status, detail)
        for caller, (status, detail) in found.items()
        if status not in str(getattr(asked, caller)).split("|")
    }
    assert wrong == {}
    assert {state: status for state, (status, _) in dead.items()} == dict.fromkeys(DEAD, asked.dead)
    if asked.dead == "401":
        told = dict.fromkeys(DEAD, "claim_token_unknown") if path in BY_CLAIM_TOKEN else DEAD
        assert {state: detail["reason"] for state, (_, detail) in dead.items()} == told
