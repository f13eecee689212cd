"""What donors of benchmarks send, and what the gateway keeps of their packages."""

import uuid
from pathlib import Path
from typing import Any

import httpx
from tests.integration.gateway.callers import bearer
from tests.integration.gateway.gateway_process import Running
from tests.unit.gateway.donations.packages import zipped

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


def stored(gateway: Running) -> list[Path]:
    folder = Path(gateway.environment["AML_DONATIONS_FOLDER"])
    return [path for path in folder.rglob("*") if path.is_file()]
