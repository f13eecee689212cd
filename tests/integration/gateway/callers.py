"""What participants and reviewers send, and how a test waits for what comes of it."""

import asyncio
import time
import uuid
from dataclasses import dataclass
from typing import Any

import httpx
from tests.integration.gateway.gateway_process import Running

from aml.contracts.events import Event
from aml.runtime.bus import Bus

SECRET = "memory-system-key-that-nobody-may-see"


CHECKLIST = {
    "smoke_passed": True,
    "contract_followed": True,
    "run_instructions_complete": True,
    "originality_disclosed": True,
    "no_integrity_violations": True,
}


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
        "description": "A keyword memory.",
        "run_instructions": "Nothing to know.",
        "disclosure": {
            "repository": "https://example.org/repo",
            "commit": "0123456789abcdef0123456789abcdef01234567",
            "original_works": "none",
            "method_changes": "none",
        },
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


async def admitted(api: httpx.AsyncClient, gateway: Running, **changes: Any) -> Participant:
    application = an_application(**changes)
    created = (await api.post("/access-requests", json=application)).json()
    approved = await api.post(
        f"/access-requests/{created['access_id']}/approve",
        json={"override_reason": "nobody listens there"},
        headers=bearer(gateway.operator_key),
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


async def start_job(api: httpx.AsyncClient, participant: Participant, **order: Any) -> httpx.Response:
    body = {"version_id": participant.version_id, "mode": "smoke", "run_label": uuid.uuid4().hex, **order}
    return await api.post("/jobs", json=body, headers=bearer(participant.key))
