"""Wrong keys, roles, bodies and paths: one clear reason each."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from tests.integration.gateway.callers import admitted, an_application, bearer, reviewer_key, start_job
from tests.integration.gateway.gateway_process import Running

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
    ("GET", "/operator/keys", {"operator"}),
    ("POST", "/operator/keys/key-0/revoke", {"operator"}),
    ("PATCH", "/versions/ver-0", {"participant"}),
    ("PUT", "/versions/ver-0/memory-system-key", {"participant"}),
    ("POST", "/versions/ver-0/withdraw", {"participant"}),
    ("GET", "/reviews/job-0", {"reviewer", "operator"}),
    ("GET", "/reviews/job-0/fair-play", {"reviewer", "operator"}),
    ("POST", "/reviews/job-0/notes", {"reviewer", "operator"}),
    ("GET", "/jobs/job-0/decisions", {"participant", "reviewer", "operator"}),
    ("POST", "/jobs/job-0/deletion-attestation", {"participant"}),
    ("GET", "/deletion-attestations", {"participant", "reviewer", "operator"}),
    ("GET", "/benchmark-proposals", {"participant", "reviewer", "operator"}),
    ("GET", "/benchmark-proposals/prop-0/package", {"reviewer", "operator"}),
    ("POST", "/benchmark-proposals/prop-0/decision", {"reviewer", "operator"}),
    ("GET", "/operator/overview", {"operator"}),
    ("PUT", "/operator/keys/key-0/reviewer-link", {"operator"}),
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
