"""Start, probes, pages and stop."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
from tests.integration.gateway.callers import admitted, bearer, start_job
from tests.integration.gateway.gateway_process import Running, free_port, start_gateway, wait_ready


async def test_a_ledger_that_is_away_is_said_to_be(api: httpx.AsyncClient) -> None:
    answers = [await api.get(f"/log/{path}") for path in ("checkpoint", "verifier", "proof/0?size=1")]

    assert [(answer.status_code, answer.json()["detail"]["reason"]) for answer in answers] == [
        (503, "ledger_unavailable")
    ] * 3
    assert (await api.get("/log/entries")).status_code == 404


async def test_pages_board_and_probes(gateway: Running) -> None:
    async with httpx.AsyncClient(base_url=gateway.url) as client:
        board = await client.get("/board/")
        bare = await client.get("/board")
        escapes = [
            await client.get(path)
            for path in ("/board/..%2f..%2fkek", "/board/%2e%2e/%2e%2e/kek", "/board//etc/passwd", "/board/none.css")
        ]
        front = await client.get("/")
        openapi = await client.get("/api/openapi.json")
        metrics = await client.get("/metrics")

        assert (board.status_code, board.text) == (200, "<h1>board</h1>")
        assert (await client.get("/board/board.json")).json() == {}
        assert bare.headers["location"] == "/board/"
        assert [answer.status_code for answer in escapes] == [404] * 4
        assert "default-src 'none'" in front.headers["content-security-policy"]
        assert "/api/v1/jobs" in openapi.json()["paths"]
        assert "aml_gateway_projected_events_total" in metrics.text


async def test_stop_waits_for_nobody_who_streams(api: httpx.AsyncClient, gateway: Running, tmp_path: Path) -> None:
    # given a second process on the same database, with an open stream
    port = free_port()
    log = tmp_path / "second.log"
    second = start_gateway(gateway.environment | {"AML_HTTP_PORT": str(port)}, log)
    url = f"http://127.0.0.1:{port}"
    try:
        await asyncio.to_thread(wait_ready, url, second, log)
        participant = await admitted(api, gateway)
        job_id = (await start_job(api, participant)).json()["job_id"]
        async with (
            httpx.AsyncClient(base_url=url) as client,
            client.stream("GET", f"/api/v1/jobs/{job_id}/events", headers=bearer(participant.key)) as stream,
        ):
            assert await anext(stream.aiter_lines())
            # when it is told to stop
            started = time.monotonic()
            second.send_signal(signal.SIGTERM)
            code = await asyncio.to_thread(second.wait, 10)
        # then it does, in order
        assert code == 0, log.read_text()
        assert time.monotonic() - started < 3
    finally:
        if second.poll() is None:
            second.kill()


def test_answers_probes_while_the_database_is_away(gateway: Running, tmp_path: Path) -> None:
    port, away = free_port(), free_port()
    log = tmp_path / "starting.log"
    changes = {"AML_HTTP_PORT": str(port), "AML_DATABASE_URL": f"postgresql://aml@127.0.0.1:{away}/aml"}
    process = start_gateway(gateway.environment | changes, log)
    try:
        deadline = time.monotonic() + 15
        while time.monotonic() < deadline:
            try:
                ready = httpx.get(f"http://127.0.0.1:{port}/health/ready", timeout=5)
                break
            except httpx.TransportError:
                time.sleep(0.05)
        live = httpx.get(f"http://127.0.0.1:{port}/health/live", timeout=5)
        call = httpx.get(f"http://127.0.0.1:{port}/api/v1/releases", timeout=5)
        call_with_key = httpx.get(f"http://127.0.0.1:{port}/api/v1/me", headers=bearer("a" * 40), timeout=15)
    finally:
        process.terminate()
        code = process.wait(10)

    assert ready.status_code == 503
    assert "database" in json.dumps(ready.json()["problems"])
    assert live.status_code == 200
    assert (call.status_code, call.json()["detail"]["reason"]) == (503, "starting")
    assert call_with_key.status_code == 503
    assert code == 0, log.read_text()


def test_a_taken_port_is_one_line(gateway: Running) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "aml.gateway"],
        env=gateway.environment,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )

    assert done.returncode == 2
    assert done.stderr.startswith("error: AML_HTTP_PORT (127.0.0.1:")
    assert len(done.stderr.splitlines()) == 1
