"""Wrong bodies and paths: one clear reason each. Who may call what is in `test_authorisation.py`."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from tests.integration.gateway.callers import admitted, an_application, bearer, start_job
from tests.integration.gateway.gateway_process import Running


async def test_a_list_holds_only_what_is_ones_own(api: httpx.AsyncClient, gateway: Running) -> None:
    owner, stranger = await admitted(api, gateway), await admitted(api, gateway)
    job_id = (await start_job(api, owner)).json()["job_id"]

    mine = (await api.get("/jobs", headers=bearer(owner.key))).json()["jobs"]
    assert [job["job_id"] for job in mine] == [job_id]
    assert (await api.get("/jobs", headers=bearer(stranger.key))).json() == {"jobs": []}


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


async def test_a_body_that_says_it_is_no_json_is_refused(api: httpx.AsyncClient) -> None:
    answer = await api.post("/access-requests", content=b"{}", headers={"Content-Type": "text/plain"})

    assert (answer.status_code, answer.json()["detail"]["reason"]) == (415, "media_type_unknown")
