"""Packages of offered benchmarks: read to their end within limits, and nothing half done."""

import asyncio
import hashlib
import json
import socket
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from tests.integration.gateway.callers import bearer
from tests.integration.gateway.donors import GOOD, offered, send, stored
from tests.integration.gateway.gateway_process import Running
from tests.unit.gateway.donations.packages import zipped


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


def peak_memory(pid: int) -> int:
    """Bytes of the most real memory that the process ever had."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
