"""One key is driven through every failure that a participant, its key and its endpoints can have; then it is looked for.

In a real stack whose services log all that they can: in every answer of the gateway, the ledger and the probes, and in every
byte below the stack's home and its database's folder. The encrypted object in the vault is there and does not show it.
"""

import asyncio
import base64
import json
import signal
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from tests.e2e.running_stack import PRACTICE, SMOKE, RunningStack, dataset_of, ended, run_order
from tests.factories.memory_server import MemoryServer
from tests.hostile.certificates import server_side
from tests.hostile.hostile_server import Exchange, HostileServer, Speak, echoes, hostile, message, raw, says, shows
from tests.hostile.kept_attempts import attempts_of

from aml.contracts.units import UnitRequeued
from aml.gateway.access.bodies import Endpoints
from aml.gateway.operations.bodies import RunOrder
from aml.rules.identity import job_subject
from aml.toolkit.local.services import SERVICES
from aml.toolkit.platform import Platform

pytestmark = [pytest.mark.stack]

CANARY = f"canary-{uuid.uuid4().hex[:12]}"
KEY = f'{CANARY}/+"{CANARY}='
"""Looks different in JSON, in a URL and in Base64; the middle of it does not."""
VISIBLE = f"visible-{uuid.uuid4().hex[:12]}"
"""The system's name: what is found where this is found shows that the search finds."""


def needles(word: str) -> list[bytes]:
    """`word` as it is, and its inside in Base64 at each of the three alignments."""
    plain = word.encode()
    return [plain, *(base64.b64encode(b"\0" * shift + plain)[4:-4] for shift in range(3))]


NEEDLES = needles(CANARY)


def shown_in(data: bytes) -> bool:
    return any(needle in data for needle in NEEDLES)


def failing() -> Iterator[tuple[str, Speak, str]]:
    """Name, behaviour and scheme. Each shows the key to us in its answer, and each ends the job at once."""
    quoted = json.dumps(KEY)
    yield "wrong key", shows({"detail": f"no such key: {KEY}"}, status="401 Unauthorized"), "bearer"
    yield "forbidden", shows({"detail": KEY}, status="403 Forbidden"), "token"
    yield "bad request", shows({"headers": {"X-Api-Key": KEY}}, status="400 Bad"), "x-api-key"
    yield "key as id", echoes(request_id=KEY), "bearer"
    yield "key as key twice", says(f"{{{quoted}:1,{quoted}:2}}".encode()), "bearer"
    yield "key in broken JSON", says(f'{{"success": {KEY}'.encode()), "token"
    yield "key in a path", says(f'{{"success":true,{quoted}:{{"x":NaN}}}}'.encode()), "bearer"
    yield "key as success", shows({"success": KEY}), "x-api-key"
    yield "redirect", says(b"", status="302 Found", headers=f"Location: https://{CANARY}.example/{KEY}\r\n"), "bearer"
    yield "key as status line", raw(f"HTTP/1.1 {KEY}\r\n\r\n".encode()), "bearer"
    yield "key as header", raw(f"HTTP/1.1 200 OK\r\n{KEY}\r\n\r\n".encode()), "token"
    yield "key as encoding", says(b"{}", headers=f"Content-Encoding: {KEY}\r\n"), "bearer"
    yield "key as task", shows({"task_id": KEY}, status="202 Accepted"), "bearer"


def order_to(base: str, auth: str, label: str, **endpoints: Any) -> RunOrder:
    urls = Endpoints(add_url=f"{base}/add", search_url=f"{base}/search", **endpoints)
    return run_order(
        MemoryServer(), dataset=dataset_of(SMOKE), endpoints=urls, auth=auth, memory_system_key=KEY, system=VISIBLE,
        run_label=f"canary {label}",
    )  # fmt: skip


async def run_all(stack: RunningStack, platform: Platform, folder: Path) -> list[str]:
    """Ids of jobs, each of which has met its failure."""
    async with AsyncExitStack() as held:

        async def served(speak: Speak, **options: Any) -> HostileServer:
            return await held.enter_async_context(hostile(speak, **options))

        async def created(order: RunOrder) -> str:
            return (await platform.create_run(order)).job_id

        dropping = await served(raw(b""))
        dropped = await created(order_to(dropping.base, "bearer", "dropped"))
        slow = await served(_slowly)
        killed = await created(order_to(slow.base, "bearer", "killed"))
        jobs = [await created(order_to((await served(speak)).base, auth, name)) for name, speak, auth in failing()]
        tls = await served(shows({}), tls=server_side(folder, "canary.example"))
        jobs.append(await created(order_to(tls.base, "bearer", "tls")))
        bound = await served(_task_named_like_the_key)
        jobs.append(
            await created(order_to(bound.base, "bearer", "bound", add_status_url=f"{bound.base}/t/{{task_id}}"))
        )
        for job_id in jobs:
            await ended(platform, job_id, within_seconds=30)
        given_up = await requeued(stack, dropped)
        kept = await attempts_of(stack, given_up)
        assert [(each.number, each.layer, each.status) for each in kept.attempts] == [
            (number, "transport", None) for number in range(1, PRACTICE.retry.attempts + 1)
        ]
        before = stack.send("ingest", signal.SIGKILL)
        await stack.came_back("ingest", after=before)
        for job_id in (dropped, killed):
            await platform.cancel(job_id)
        assert all(b"/add" in head for head in dropping.heads)
        assert any(shown_in(head) for head in dropping.heads), "the key was really sent"
    return [*jobs, dropped, killed]


async def _slowly(_: Exchange) -> None:
    await asyncio.sleep(60)


async def _task_named_like_the_key(exchange: Exchange) -> bool:
    if exchange.path == "/add":
        await exchange.write(message(json.dumps({"task_id": KEY}).encode(), status="202 Accepted"))
    else:
        await exchange.write(message(KEY.encode(), status="404 Not Found"))
    return True


async def requeued(stack: RunningStack, job_id: str) -> Any:
    """Once the attempts at one unit were used up."""
    bus = stack.bus("canary")
    await bus.connect()
    try:
        async with asyncio.timeout(40):
            while (event := await bus.last_event(job_subject(job_id, UnitRequeued, "*"))) is None:
                await asyncio.sleep(0.2)
            return event
    finally:
        await bus.close()


async def refused_orders(platform: Platform, http: httpx.AsyncClient) -> AsyncIterator[bytes]:
    """What the gateway says to keys that no header can carry and to orders that it cannot read."""
    good = order_to("http://127.0.0.1:9", "bearer", "refused")
    changes: list[Callable[[dict[str, Any]], Any]] = [
        lambda order: order | {"memory_system_key": f"{KEY}\r\nX: y"},
        lambda order: order | {"memory_system_key": f"{KEY}\x00"},
        lambda order: order | {"memory_system_key": f" {KEY}"},
        lambda order: order | {"memory_system_key": [KEY]},
        lambda order: order | {"auth": "none"},
        lambda order: order | {"auth": KEY},
        lambda order: order | {"endpoints": {"add_url": f"http://u:{KEY}@127.0.0.1/", "search_url": KEY}},
    ]
    plain = msgspec.to_builtins(good)
    for change in changes:
        answer = await http.post("/api/v1/operator/runs", json=change(plain))
        assert 400 <= answer.status_code < 500, answer.text
        yield answer.content + repr(answer.headers).encode()
    broken = await http.post(
        "/api/v1/operator/runs", content=f'{{"memory_system_key": {KEY}', headers={"Content-Type": "application/json"}
    )
    assert broken.status_code == 400
    yield broken.content
    unknown = await http.get("/api/v1/me", headers={"Authorization": f"Bearer {KEY}"})
    assert unknown.status_code == 401
    yield unknown.content


async def answers(
    stack: RunningStack, platform: Platform, http: httpx.AsyncClient, jobs: list[str]
) -> AsyncIterator[tuple[str, bytes]]:
    """Everything that anybody may read of these jobs."""
    paths = ["/", "/board/", "/api/v1/me", "/api/v1/jobs?limit=100", "/api/v1/versions", "/api/v1/operator/parked"]
    for job_id in jobs:
        paths += [f"/api/v1/jobs/{job_id}{what}" for what in ("", "/results", "/questions")]
    for path in paths:
        answer = await http.get(path, follow_redirects=True)
        yield path, answer.content + repr(answer.headers).encode()
    for service in SERVICES:
        for probe in ("/metrics", "/health/ready"):
            yield f"{service}{probe}", (await http.get(f"{stack.address(service)}{probe}")).content
    log = f"{stack.address('ledger')}/log"
    entries = b""
    while page := (await http.get(f"{log}/entries", params={"start": entries.count(b"\n"), "count": 1000})).content:
        if not page.strip() or b'"event"' not in page:
            break
        entries += page if page.endswith(b"\n") else page + b"\n"
    assert VISIBLE.encode() in entries
    yield "ledger", entries


def files_of(stack: RunningStack) -> Iterator[Path]:
    layout = stack.stack.layout
    folders = [layout.home]
    pointer = layout.postgres / "elsewhere.json"
    if pointer.exists():
        folders.append(Path(json.loads(pointer.read_text())["folder"]))
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


async def test_the_key_is_nowhere(stack: RunningStack, platform: Platform, tmp_path: Path) -> None:
    jobs = await run_all(stack, platform, tmp_path)

    headers = {"Authorization": f"Bearer {stack.operator_key}"}
    async with httpx.AsyncClient(base_url=stack.info.portal, headers=headers, trust_env=False, timeout=30) as http:
        async for answer in refused_orders(platform, http):
            assert not shown_in(answer), answer.decode()
        found = {name: answer async for name, answer in answers(stack, platform, http, jobs)}
    assert [name for name, answer in found.items() if shown_in(answer)] == []
    assert any(VISIBLE.encode() in answer for answer in found.values())

    contents = {path: path.read_bytes() for path in files_of(stack) if path.exists()}
    assert [str(path) for path, content in contents.items() if shown_in(content)] == []
    holding = {
        path.relative_to(path.parents[1]).parts[0] for path, content in contents.items() if VISIBLE.encode() in content
    }
    assert holding, "the walk finds what is there"
    assert any("vault" in path.parts for path in contents)
    log_lines = b"".join(content for path, content in contents.items() if path.suffix == ".log")
    assert b"sample.add_failed" in log_lines, "the failures were logged"


def test_the_search_finds_what_it_looks_for() -> None:
    for text in (KEY, f"x{KEY}", json.dumps(KEY), httpx.QueryParams({"k": KEY}).__str__()):
        assert shown_in(text.encode())
    for before in ("", "a", "ab"):
        assert shown_in(base64.b64encode((before + KEY).encode()))
